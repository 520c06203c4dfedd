import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readServeRecord, serveRecordFile, writeServeRecord } from '../../src/remote/serve-record.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-serve-record-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const RECORD = { pid: 1, started: '2026-01-01T00:00:00.000Z', id: 'a', url: 'http://127.0.0.1:8787', version: '1.2.3' };

describe('a record of clawai serve', () => {
  it('is what was written, for this user only', () => {
    const deep = join(folder, 'a/b');
    writeServeRecord(deep, RECORD);
    expect(readServeRecord(deep)).toEqual(RECORD);
    expect([statSync(serveRecordFile(deep)).mode & 0o777, statSync(deep).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('is removed by whoever wrote it, and by nobody else', () => {
    const removeFirst = writeServeRecord(folder, RECORD);
    const removeSecond = writeServeRecord(folder, { ...RECORD, id: 'b' });
    removeFirst();
    expect(readServeRecord(folder)?.id).toBe('b');
    removeSecond();
    expect(existsSync(serveRecordFile(folder))).toBe(false);
    removeSecond();
  });

  it.each([
    '',
    'null',
    '[]',
    '{"pid":1}',
    JSON.stringify({ ...RECORD, url: 'file:///etc' }),
    JSON.stringify({ ...RECORD, url: 'http://127.0.0.1:8787/path' }),
    JSON.stringify({ ...RECORD, pid: '1' }),
    JSON.stringify({ ...RECORD, id: '' }),
  ])('%j is none', (text) => {
    writeFileSync(serveRecordFile(folder), text);
    expect(readServeRecord(folder)).toBeUndefined();
  });

  it('cannot be written where a file is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeServeRecord(join(folder, 'file/state'), RECORD)).toThrow(/cannot be written/);
  });
});

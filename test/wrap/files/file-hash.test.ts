import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileHash } from '../../../src/wrap/files/file-hash.ts';
import { sha256 } from '../../../src/wrap/files/state-folder.ts';

it.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000])('is that of all %d bytes', (length) => {
  const folder = mkdtempSync(join(tmpdir(), 'clawai-hash-'));
  const bytes = Buffer.alloc(length, 'abcdefg');
  writeFileSync(join(folder, 'x'), bytes);
  expect(fileHash(join(folder, 'x'))).toBe(sha256(bytes));
  rmSync(folder, { recursive: true });
});

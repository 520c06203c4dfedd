import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findServing, writeServeRecord } from '../../src/remote/serve-record.ts';
import { type StandInServe, startStandIn } from '../support/stand-in-serve.ts';

let folder: string;
let serve: StandInServe | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-serving-'));
});
afterEach(async () => {
  await serve?.close();
  serve = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const RECORD = { pid: process.pid, started: '2026-01-01T00:00:00.000Z', id: 'a', version: '1' };

describe('findServing', () => {
  it('finds one that runs', async () => {
    serve = await startStandIn(folder);
    expect(await findServing(folder)).toEqual({ kind: 'running', record: serve.record });
  });

  it('finds none without a record', async () => {
    expect(await findServing(join(folder, 'missing'))).toEqual({ kind: 'stopped' });
  });

  it('finds none whose process is gone, whoever has its port', async () => {
    serve = await startStandIn(folder);
    // No system gives out such an id.
    writeServeRecord(folder, { ...serve.record, pid: 2 ** 30 });
    expect(await findServing(folder)).toEqual({ kind: 'stopped' });
  });

  it('finds none where nothing listens', async () => {
    serve = await startStandIn(folder);
    const { record } = serve;
    await serve.close();
    serve = undefined;
    writeServeRecord(folder, record);
    expect(await findServing(folder)).toEqual({ kind: 'stopped' });
  });

  it.each([
    ['another program', 'it has never heard of clawai', 'another program answers at its address'],
    ['JSON of another program', '{"status":"ok"}', 'another program answers at its address'],
    ['null', 'null', 'another program answers at its address'],
    ['an endless answer', 'x'.repeat(100_000), 'another program answers at its address'],
    ['another clawai', '{"status":"ok","id":"other","version":"1"}', 'another clawai answers at its address'],
  ])('is not taken in by %s', async (_, text, why) => {
    serve = await startStandIn(folder, (_request, response) => response.end(text));
    expect(await findServing(folder)).toEqual({ kind: 'unhealthy', record: serve.record, why });
  });

  it('is not taken in by another status', async () => {
    serve = await startStandIn(folder, (_request, response, { id }) => {
      response.statusCode = 503;
      response.end(JSON.stringify({ status: 'ok', id }));
    });
    expect(await findServing(folder)).toMatchObject({ kind: 'unhealthy' });
  });

  it('passes on what it says of itself', async () => {
    serve = await startStandIn(folder, (_request, response, { id }) => response.end(JSON.stringify({ status: 'bad', id })));
    expect(await findServing(folder)).toMatchObject({ kind: 'unhealthy', why: 'it reports the status "bad"' });
  });

  it('does not wait for ever', async () => {
    serve = await startStandIn(folder, (_request, response) => response.write('{'));
    expect(await findServing(folder)).toMatchObject({ kind: 'unhealthy', why: 'it does not answer within 1 s' });
  });

  it('says what happened where something else than HTTP is spoken', async () => {
    const server = createServer((socket) => socket.resume().end('SSH-2.0\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    writeServeRecord(folder, { ...RECORD, url: `http://127.0.0.1:${port}` });
    expect(await findServing(folder)).toMatchObject({
      kind: 'unhealthy',
      why: expect.stringMatching(/^it cannot be reached \(\w+\)$/),
    });
    await new Promise((resolve) => server.close(resolve));
  });
});

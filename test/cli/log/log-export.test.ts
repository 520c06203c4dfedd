import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordedCall, RecordedStore } from '../../support/recorded-store.ts';
import { type CliResult, runCli } from '../../support/run-cli.ts';

let state: string;
let store: RecordedStore;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'clawai-export-'));
  store = new RecordedStore(join(state, 'clawai', 'clawai.db'));
  for (let i = 0; i < 6; i += 1) {
    const timestamp = new Date(Date.UTC(2026, 0, 1 + i)).toISOString();
    store.add(recordedCall({ id: `${i} ü 😀`, number: 1e21, timestamp }), i % 2 === 0 ? 'aa' : 'bb');
  }
});
afterEach(() => {
  store.close();
  rmSync(state, { recursive: true });
});

function run(...args: readonly string[]): Promise<CliResult> {
  return runCli(['audit', 'export', ...args], { env: { XDG_STATE_HOME: state, TZ: 'UTC' } });
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** The recipe of the command's help, followed word by word. `anchored`: the first line of a writer is taken on trust. */
function verify(text: string, anchored = false): string[] {
  const faults: string[] = [];
  const last = new Map<string, { n: number; hash: Buffer }>();
  for (const line of text.trimEnd().split('\n')) {
    const { writer, n, hash, body_hash: bodyHash, checkpoint } = JSON.parse(line);
    if (checkpoint !== undefined) {
      last.set(writer, { n: checkpoint.n, hash: Buffer.from(checkpoint.hash, 'hex') });
      continue;
    }
    const before = last.get(writer) ?? (anchored ? undefined : { n: 0, hash: sha256(writer) });
    if (before !== undefined && n !== before.n + 1) faults.push(`${writer} ${n} gap`);
    const body = line.slice(line.indexOf('"event":') + '"event":'.length, line.lastIndexOf('}'));
    if (sha256(body).toString('hex') !== bodyHash) faults.push(`${writer} ${n} body`);
    const expected = before && sha256(Buffer.concat([before.hash, Buffer.from(bodyHash, 'hex')])).toString('hex');
    if (expected !== undefined && expected !== hash) faults.push(`${writer} ${n} chain`);
    last.set(writer, { n, hash: Buffer.from(hash, 'hex') });
  }
  return faults;
}

it('can be verified by the recipe of its help', async () => {
  const { code, stdout, stderr } = await run();
  expect([code, stderr, stdout.trimEnd().split('\n').length]).toEqual([0, '', 6]);
  expect(verify(stdout)).toEqual([]);
  expect(verify(stdout.replace('"id":"3 ü', '"id":"3 u'))).toEqual(['bb 2 body']);
  expect(verify(stdout.replace(/.*"id":"2 .*\n/, ''))).toEqual(['aa 3 gap', 'aa 3 chain']);
});

it('goes on from the checkpoints where the beginning was erased', async () => {
  store.erase('aa', 2);
  const { stdout } = await run();
  expect(stdout.split('\n')[0]).toMatch(/^\{"writer":"aa","checkpoint":\{"n":2,"hash":"[0-9a-f]{64}"\}\}$/);
  expect(stdout.trimEnd().split('\n')).toHaveLength(5);
  expect(verify(stdout)).toEqual([]);
});

it('of a time holds every link between its first and its last event', async () => {
  store.edit('UPDATE events SET time = 0 WHERE seq = 4');
  const { stdout } = await run('--since', '2026-01-02', '--until', '2026-01-06');
  const seqs = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(seqs).toEqual([2, 3, 4, 5]);
  expect(verify(stdout, true)).toEqual([]);
});

it('hazard 52: says where there is nothing to export', async () => {
  expect(await run('--since', '1h')).toEqual({ code: 0, stdout: '', stderr: 'clawai: there are no events to export\n' });
  expect(await runCli(['audit', 'export'], { env: { XDG_STATE_HOME: join(state, 'none') } })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('nothing was recorded yet'),
  });
});

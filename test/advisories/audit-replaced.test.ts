import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { attempt, readFile, useSandbox } from '../support/attempt.ts';
import { support } from '../support/sandbox.ts';

/**
 * Something else in the place of the audit file: opening a pipe waits for a reader and stopped everything, a link had events
 * written into any file of the user, and what is written to a deleted file nobody ever reads.
 */
const sandbox = useSandbox();

const ALLOW = '[defaults]\naction = "allow"\n';

it('a pipe denies, and does not hang', async () => {
  const { current } = sandbox;
  mkdirSync(dirname(current.storeFile), { recursive: true });
  execFileSync('mkfifo', [current.storeFile]);
  const { reached, ended } = await attempt(current, ALLOW, [readFile({}, 1)]);
  expect(reached).toEqual([]);
  expect(ended.stdout).toContain('audit_unavailable');
});

it('a link is not followed', async () => {
  const { current } = sandbox;
  mkdirSync(dirname(current.storeFile), { recursive: true });
  symlinkSync(current.write('victim', 'as it was'), current.storeFile);
  const { reached } = await attempt(current, ALLOW, [readFile({}, 1)]);
  expect(reached).toEqual([]);
  expect(current.read('victim').toString()).toBe('as it was');
});

it('a deleted file is begun anew', async () => {
  const { current } = sandbox;
  const policy = current.write('policy.toml', ALLOW);
  const server = [process.execPath, support('recording-server.mjs'), current.path('record')];
  const running = current.clawai('proxy', '--policy', policy, '--', ...server);
  running.send(`${JSON.stringify(readFile({}, 1))}\n`);
  await running.lines(1);
  rmSync(dirname(current.storeFile), { recursive: true });
  running.send(`${JSON.stringify(readFile({}, 2))}\n`);
  await running.lines(2);
  expect(current.decided().map((event) => event['jsonrpc_id'])).toEqual([2]);
  await running.close();
});

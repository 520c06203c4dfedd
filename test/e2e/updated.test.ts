import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const sandbox = useSandbox();

it('an update while it runs: calls are denied, and the person is told what to do', async () => {
  const { folder, env } = sandbox.current;
  const installed = join(folder, 'installed');
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(installed, part), { recursive: true });
  const policy = sandbox.current.write('p.toml', '[defaults]\naction = "allow"\n');
  sandbox.current.write('s.json', '{}');
  const server = [process.execPath, support('changing-server.mjs'), join(folder, 's.json')];
  const bin = join(installed, 'bin', 'clawai.mjs');
  const running = new Running([process.execPath, bin, 'proxy', '--policy', policy, '--', ...server], { env, cwd: folder });
  running.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await running.until(() => running.stdout.length > 0);
  for (const file of readdirSync(join(installed, 'dist'))) rmSync(join(installed, 'dist', file));
  running.send('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_it"}}\n');
  await running.until(() => running.stdout.toString().includes('"id":2'));
  expect(running.stdout.toString()).toContain('could not record it');
  expect(running.stderr).toContain('clawai was updated or removed while this process ran; restart the client');
  running.send('{"jsonrpc":"2.0","id":3,"method":"ping"}\n');
  await running.until(() => running.stdout.toString().includes('"id":3'));
  await running.close();
});

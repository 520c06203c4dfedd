import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { denying, readFile, useSandbox } from '../support/attempt.ts';
import { serverPackage } from '../support/sandbox.ts';

/**
 * server-filesystem takes relative paths from the folders in its command line, not from its working directory. A relative path
 * was only read from the working directory, so `private/key` was not seen to lie in a denied folder.
 */
const sandbox = useSandbox();

it('relative paths are read from the folders in the command line too', async () => {
  const { current } = sandbox;
  mkdirSync(current.path('docs/private'), { recursive: true });
  writeFileSync(current.path('docs/private/key'), 'SECRET');
  const policy = current.write('policy.toml', denying(`args.path = "${current.folder}/docs/private/**"`));
  const running = current.clawai(
    'proxy',
    '--policy',
    policy,
    '--',
    process.execPath,
    serverPackage('filesystem'),
    current.path('docs'),
  );
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  running.send(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  await running.lines(1);
  running.send(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  running.send(`${JSON.stringify(readFile({ path: 'private/key' }, 1))}\n`);
  const [, answer = ''] = await running.lines(2);
  expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { isError: true } });
  await running.close();
  expect(running.stdout.toString()).not.toContain('SECRET');
});

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { support } from '../support/sandbox.ts';

/** A user's policy that cannot be reached (a link that leads nowhere) counted as none, and the more generous default was used. */
const sandbox = useSandbox();

it('a policy behind a broken link starts nothing', async () => {
  const { current } = sandbox;
  const folder = join(current.env['XDG_CONFIG_HOME'] ?? '', 'clawai');
  mkdirSync(folder, { recursive: true });
  symlinkSync(current.path('none'), join(folder, 'policy.toml'));
  const ended = await current
    .clawai('proxy', '--', process.execPath, support('recording-server.mjs'), current.path('record'))
    .close();
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('policy.toml');
  expect(existsSync(current.path('record'))).toBe(false);
});

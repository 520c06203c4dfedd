import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNotify, notifyLock } from '../../../src/cli/notify/start-notify.ts';
import type { Webhook } from '../../../src/config/read-webhooks.ts';
import { until } from '../../support/until.ts';

it('takes a lock of the future for an old one: the clock was set back', { tags: 'long' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clawai-notify-'));
  const config = join(folder, 'config.toml');
  const stateDir = join(folder, 'state');
  const lock = notifyLock(stateDir);
  mkdirSync(lock, { recursive: true });
  utimesSync(lock, new Date('2099-01-01'), new Date('2099-01-01'));
  const url = 'http://127.0.0.1:1/hook';
  writeFileSync(config, `state_dir = ${JSON.stringify(stateDir)}\n[webhook.w]\nurl = ${JSON.stringify(url)}\n`);
  const webhook: Webhook = {
    name: 'w',
    url: { in: 'config', text: url },
    form: 'json',
    secret: undefined,
    events: [],
    minSeverity: 'high',
  };
  createNotify({ webhooks: [webhook], stateDir, file: config })?.();
  // The process that was started takes the lock, finds nothing to tell, and releases it.
  await until('the lock was taken and released', () => !existsSync(lock));
  expect(existsSync(lock)).toBe(false);
  rmSync(folder, { recursive: true });
});

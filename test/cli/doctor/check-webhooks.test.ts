import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkWebhooks } from '../../../src/cli/doctor/check-webhooks.ts';
import { notifyStateFile, readNotifyState, writeNotifyState } from '../../../src/cli/notify/notify-state.ts';
import type { Webhook } from '../../../src/config/read-webhooks.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-webhooks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const rest = { form: 'json', secret: undefined, events: ['denials'], minSeverity: 'high' } as const;
const WEBHOOKS: readonly Webhook[] = ['a', 'b', 'c'].map((name) => ({ ...rest, name, url: { in: 'env', name: 'X' } }));

it('says of each webhook what it tells, and what failed last', () => {
  const channels = { a: { sent: 3, dropped: 0, fault: '' }, b: { sent: 1, dropped: 2, fault: 'it answered with status 500' } };
  writeNotifyState(notifyStateFile(folder), { seq: 1, store: '1 2', asked: ['K7Q2MX'], channels });
  expect(checkWebhooks(WEBHOOKS, folder)).toEqual([
    { about: 'webhook a', level: 'ok', text: 'tells denials; 3 sent' },
    {
      about: 'webhook b',
      level: 'warn',
      text: 'tells denials; 1 sent, 2 lost since; last time: it answered with status 500',
      todo: 'clawai service notify --test b',
    },
    { about: 'webhook c', level: 'ok', text: 'tells denials; 0 sent' },
  ]);
});

it('counts a state that was edited as none', () => {
  expect(readNotifyState(join(folder, 'none')).seq).toBeUndefined();
  writeNotifyState(join(folder, 'x'), { seq: 'one', asked: 1, channels: { a: { sent: 'x' }, b: null } } as never);
  expect(readNotifyState(join(folder, 'x'))).toEqual({ seq: undefined, store: '', asked: [], channels: {} });
});

import { expect, it } from 'vitest';
import { checkCallers } from '../../../src/cli/doctor/check-remote.ts';
import { SocketOwners } from '../../../src/session/socket-owner.ts';

const record = { pid: 1, started: '', id: 'x', url: 'http://127.0.0.1:1', version: '1' };
const RUNNING = { remote: { serving: { kind: 'running', record } } } as unknown as Parameters<typeof checkCallers>[0];
const STOPPED = { remote: { serving: { kind: 'stopped' } } } as unknown as Parameters<typeof checkCallers>[0];

it.runIf(process.platform === 'linux' || process.platform === 'darwin')('who connects is found', async () => {
  expect(await checkCallers(RUNNING)).toMatchObject([{ about: 'sessions', level: 'ok' }]);
});

it('who connects is not found where the system does not say', async () => {
  expect(await checkCallers(RUNNING, new SocketOwners('win32'))).toMatchObject([
    { level: 'warn', text: expect.stringContaining('does not say which program connects') },
  ]);
});

it('nobody asks where nobody connects', async () => {
  expect(await checkCallers(STOPPED)).toEqual([]);
});

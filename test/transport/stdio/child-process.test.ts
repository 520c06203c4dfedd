import { describe, expect, it } from 'vitest';
import { runAgent } from '../../../src/transport/stdio/child-process.ts';

const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const;

function listeners(): readonly number[] {
  return SIGNALS.map((signal) => process.listenerCount(signal));
}

describe('runAgent', () => {
  it('gives the agent its environment and returns its exit code', async () => {
    const script = 'process.exit(process.env.A === "b" && process.env.PATH === undefined ? 7 : 1)';
    expect(await runAgent([process.execPath, '-e', script], { A: 'b' })).toBe(7);
  });

  it('leaves no signal handled, also where nothing could be started', async () => {
    const before = listeners();
    const running = runAgent([process.execPath, '-e', ''], process.env);
    expect(listeners()).toEqual(before.map((count) => count + 1));
    await running;
    expect(listeners()).toEqual(before);
    await expect(runAgent(['/no/such/agent'], process.env)).rejects.toMatchObject({ code: 'command_not_found' });
    expect(listeners()).toEqual(before);
  });
});

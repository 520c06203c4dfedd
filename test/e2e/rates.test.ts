import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';
import { until } from '../support/until.ts';

const sandbox = useSandbox();

async function start(policy: string, server = 'weather'): Promise<Declaring> {
  const started = new Declaring(sandbox.current, { policy, server });
  started.declare({ tools: [[tool('forecast', 'Tells.'), tool('history', 'Tells.')]] });
  await started.start();
  await started.tools();
  return started;
}

const LIMITED = `[defaults]
action = "allow"
[rate_limits]
enabled = true
[rate_limits.server.weather]
rpm = 2
burst = 3
[rate_limits.server.weather.tool.history]
rpm = 1
`;

describe('rate limits', () => {
  it('hazard 38: processes share one bucket, and the model is told when to come back', async () => {
    const [one, other] = [await start(LIMITED), await start(LIMITED)];
    const told: string[] = [];
    for (let i = 0; i < 3; i++) told.push(...(await Promise.all([one.call('forecast'), other.call('forecast')])));
    expect(told.filter((text) => text === 'allowed')).toHaveLength(3);
    const denied = told.find((text) => text !== 'allowed');
    expect(denied).toMatch(/denied the tool call "forecast"/);
    expect(denied).toMatch(/Wait (?:[12]?[0-9]|30) seconds/);
    await one.stop();
    await other.stop();
    const calls = sandbox.current.decided();
    expect(calls.filter(({ reason }) => reason === 'rate_limit')).toHaveLength(3);
    expect(calls.find(({ reason }) => reason === 'rate_limit')?.['retry_after']).toBeGreaterThanOrEqual(1);
  });

  it('hazard 39: a denied call costs nothing, so that the next one passes when the time has come', async () => {
    const server = await start(LIMITED.replace('rpm = 2\nburst = 3', 'rpm = 20\nburst = 1'));
    const started = performance.now();
    expect(await server.call('forecast')).toBe('allowed');
    let denied = 0;
    await until('there is a token', async () => {
      const isAllowed = (await server.call('forecast')) === 'allowed';
      if (!isAllowed) denied += 1;
      return isAllowed;
    });
    expect(denied).toBeGreaterThan(0);
    expect(performance.now() - started).toBeGreaterThan(3000);
    await server.stop();
  });

  it('a tool has its own besides its server', async () => {
    const server = await start(LIMITED);
    expect(await server.call('history')).toBe('allowed');
    expect(await server.call('history')).toMatch(/denied the tool call "history"/);
    expect(await server.call('forecast')).toBe('allowed');
    await server.stop();
  });

  it('a call that something else denies costs nothing', async () => {
    const server = await start(`${LIMITED}[[rule]]\naction = "deny"\ntool = "history"\n`);
    for (let i = 0; i < 5; i++) expect(await server.call('history')).toMatch(/denied/);
    for (let i = 0; i < 3; i++) expect(await server.call('forecast')).toBe('allowed');
    await server.stop();
  });

  it('hazard 39: the default lets calls pass', async () => {
    const server = await start('[defaults]\naction = "allow"\n[rate_limits]\nenabled = true\n', 'other');
    for (let i = 0; i < 10; i++) expect(await server.call('forecast')).toBe('allowed');
    // One comes back each second: so many more may pass where that is slow.
    let more = 0;
    while ((await server.call('forecast')) === 'allowed' && more < 20) more += 1;
    expect(more).toBeLessThan(20);
    await server.stop();
  });
});

import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { readFile, useSandbox } from '../support/attempt.ts';
import { support } from '../support/sandbox.ts';
import { waitingCall } from '../support/waiting-calls.ts';

/** An agent asks for something harmless, and while a person looks at it, has the link in its arguments lead elsewhere. */
const sandbox = useSandbox();

it.runIf(HAS_TERMINAL)('hazard 7: a yes is to the rule that asked, and not to what a link leads to later', async () => {
  const { current } = sandbox;
  const link = current.path('link');
  for (const folder of ['plain', 'secret']) mkdirSync(current.path(folder));
  symlinkSync(current.path('plain'), link);
  const policy = current.write(
    'policy.toml',
    `[approval]\nchannels = ["terminal"]\ntimeout = "20s"
[[rule]]\nid = "secret"\naction = "prompt"\ntool = "**"\nargs.path = "${current.path('secret')}/**"
[[rule]]\nid = "reading"\naction = "prompt"\ntool = "**"\n`,
  );
  const server = [process.execPath, support('recording-server.mjs'), current.path('record')];
  const client = current.clawai('proxy', '--server', 's', '--policy', policy, '--', ...server);
  client.send(`${JSON.stringify(readFile({ path: `${link}/x` }, 1))}\n`);
  const first = await waitingCall(current);
  expect(first.rule).toBe('reading');
  rmSync(link);
  symlinkSync(current.path('secret'), link);
  expect(await new AtTerminal(current, ['approve', first.id]).ended).toMatchObject({ code: 0 });
  const second = await waitingCall(current);
  expect(second).toMatchObject({ rule: 'secret' });
  expect(second.id).not.toBe(first.id);
  expect(await new AtTerminal(current, ['deny', second.id]).ended).toMatchObject({ code: 0 });
  await client.until(() => client.stdout.includes('"id":1'));
  expect(client.stdout.toString()).toContain('refused');
  await client.close();
  expect(existsSync(current.path('record')) ? current.read('record').toString() : '').not.toContain('"id":1');
});

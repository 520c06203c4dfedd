import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { type ClientFile, writeEveryClient } from '../support/every-client.ts';
import { runAtTerminal } from '../support/run-at-terminal.ts';
import { type Ended, Running } from '../support/running.ts';

const sandbox = useSandbox();

function texts(files: readonly ClientFile[]): readonly string[] {
  return files.map(({ file }) => readFileSync(file, 'utf8'));
}

it.skipIf(!HAS_TERMINAL)('hazard 3: every client is wrapped, listed, and gets its bytes back', async () => {
  const { current } = sandbox;
  const machine = { platform: 'linux', home: current.home, env: current.env } as const;
  const files = writeEveryClient(machine, current.path('project'));
  const clawai = (...args: readonly string[]): Promise<Ended> =>
    new Running(current.command(...args), { env: current.env, cwd: current.path('project') }).close();
  const before = await clawai('status', '--check');
  expect(before.code).toBe(1);
  expect(before.stdout).toContain(`${files.length * 3} not protected`);

  const dry = await clawai('wrap', '--all', '--dry-run');
  expect([dry.code, dry.stdout.includes('hunter2')]).toEqual([0, false]);
  expect(texts(files)).toEqual(files.map(({ text }) => text));
  const wrap = await clawai('wrap', '--all');
  expect([wrap.code, wrap.stderr]).toEqual([0, '']);
  expect(wrap.stdout).toContain(`Wrapped ${files.length * 3} servers in ${files.length} files`);
  const after = await clawai('status', '--json');
  const states = JSON.parse(after.stdout).files.flatMap(
    ({ clients, servers }: { clients: readonly string[]; servers: readonly { server: string; state: string }[] }) =>
      servers.filter(({ state }) => state !== 'other').map(({ server, state }) => `${clients[0]} ${server} ${state}`),
  );
  expect(states.toSorted()).toEqual(
    files.flatMap(({ client }) => ['bare', 'files', 'off'].map((server) => `${client} ${server} wrapped`)).toSorted(),
  );

  const unwrap = await runAtTerminal(current, ['unwrap', '--all']);
  expect(unwrap.stdout).toContain(`${files.length} of them to the byte as before`);
  expect(texts(files)).toEqual(files.map(({ text }) => text));
});

import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { writeConfig } from '../support/client-configs.ts';
import type { Ended } from '../support/running.ts';

const sandbox = useSandbox();
const CODEX = 'home/.codex/config.toml';
const GOOSE = 'config/goose/config.yaml';

function clawai(...args: readonly string[]): Promise<Ended> {
  return sandbox.current.clawai(...args).close();
}

it('hazard 3: clients that clawai does not edit are named with what to write, and count until that is done or they are left out', async () => {
  const { current } = sandbox;
  expect((await clawai('status', '--check')).code).toBe(0);
  writeConfig(current, CODEX, '[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "x", "--token", "hunter2"]\n');
  writeConfig(current, GOOSE, 'extensions:\n  git hub:\n    cmd: uvx\n    args:\n    - y\n    type: stdio\n');
  const status = await clawai('status', '--check');
  const [node, entry] = current.command();
  expect([status.code, status.stdout]).toEqual([
    1,
    expect.stringContaining('2 not protected in clients that clawai does not edit'),
  ]);
  expect(status.stdout).toMatch(/~\/\.codex\/config\.toml {2}Codex, which clawai does not edit\n {2}not wrapped +files +put `/);
  expect(status.stdout).toContain(`put \`${node} ${entry} proxy --server files --\` before its command`);
  expect(status.stdout).toContain("proxy --server 'git hub' --` before its command");
  for (const words of [['doctor'], ['wrap', '--all'], ['wrap', '--all', '--dry-run']]) {
    const { stdout } = await clawai(...words);
    expect([words, stdout.includes('hunter2')]).toEqual([words, false]);
    expect(stdout).toContain('Codex is not behind clawai, which does not edit ~/.codex/config.toml: files');
    expect(stdout).toContain(`put \`${node} ${entry} proxy --server files --\` before its command`);
    expect(stdout).toContain('Goose is not behind clawai');
  }

  expect((await clawai('status', '--check', '--ignore', 'codex')).code).toBe(1);
  const ignored = await clawai('status', '--check', '--ignore', 'codex,goose');
  expect([ignored.code, ignored.stdout]).toEqual([0, expect.stringContaining('Codex, which clawai does not edit; ignored')]);
  const wrong = await clawai('status', '--check', '--ignore', 'codx');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean codex?')]);
  expect((await clawai('wrap', '--all', '--client', 'codex')).stderr).toContain('does not edit the config of Codex');

  const words = JSON.stringify([entry, 'proxy', '--server', 'files', '--', 'npx', '-y', 'x']);
  writeConfig(current, CODEX, `[mcp_servers.files]\ncommand = ${JSON.stringify(node)}\nargs = ${words}\n`);
  writeConfig(
    current,
    GOOSE,
    `extensions:\n  git hub:\n    cmd: ${node}\n    args: ${JSON.stringify([entry, 'proxy', '--', 'uvx', 'y'])}\n    type: stdio\n`,
  );
  const done = await clawai('status', '--check');
  expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/by hand +files/)]);
  expect((await clawai('doctor')).stdout).not.toContain('is not behind clawai');
  writeConfig(
    current,
    CODEX,
    `[mcp_servers.files]\ncommand = ${JSON.stringify(node)}\nargs = ${words.replace('"proxy"', '"proxy","--observe"')}\n`,
  );
  expect((await clawai('status', '--check')).stdout).toMatch(/not enforced +files +edit its entry: it only observes/);
  writeConfig(current, CODEX, '[mcp_servers.files\n');
  expect((await clawai('status', '--check')).code).toBe(1);
  const { by_hand: byHand } = JSON.parse((await clawai('status', '--json')).stdout);
  expect(byHand).toMatchObject([
    { client: 'codex', error: expect.stringContaining('line 1'), servers: [] },
    { client: 'goose', error: null, servers: [{ server: 'git hub', state: 'by-hand' }] },
  ]);
});

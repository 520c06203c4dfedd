import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LAUNCHER, WrapMachine, wrapped } from '../support/wrap-machine.ts';

const PROJECT = '../project/.mcp.json';
const USER = '.cursor/mcp.json';

let machine: WrapMachine;
beforeEach(() => {
  machine = new WrapMachine();
});
afterEach(() => machine.remove());

function write(file: string, words: readonly string[], env?: Readonly<Record<string, string>>): void {
  const [command, ...args] = words;
  machine.write(file, JSON.stringify({ mcpServers: { a: { command, args, ...(env !== undefined && { env }) } } }));
}

function weakness(): string | undefined {
  return machine.status().flatMap(({ servers }) => servers)[0]?.weakness;
}

/** What stands between `proxy` and `--`. */
function withFlags(...flags: readonly string[]): readonly string[] {
  return [...LAUNCHER, 'proxy', ...flags, '--', 'a'];
}

describe('an entry that nobody has wrapped here', () => {
  it.each([
    ['as clawai writes it', wrapped('a', 'a'), {}, undefined],
    ['with another policy', withFlags('--policy', '/p.toml'), {}, 'a policy of its own: /p.toml'],
    ['with variables of its server', wrapped('a', 'a'), { TOKEN: 'x', PATH: '/bin', CLAWAI_SESSION: 's' }, undefined],
    ['that only observes', withFlags('--observe'), {}, '--observe'],
    ['with another config', withFlags('--config=/c.toml'), {}, 'a config of its own: /c.toml'],
    ['with a policy by its environment', wrapped('a', 'a'), { CLAWAI_POLICY: '/p.toml' }, 'CLAWAI_POLICY'],
    ['with other code in its Node', wrapped('a', 'a'), { node_options: '--require x' }, 'node_options'],
    ['with a Node that loads other code', ['node', '--require', './x.js', '/c/clawai.mjs', 'proxy', '--', 'a'], {}, '--require'],
  ])("of the user's: %s", (_, words, env, expected) => {
    write(USER, words, env);
    expect(weakness()).toEqual(expected === undefined ? undefined : expect.stringContaining(expected));
  });

  it("of a project's never counts, however it looks", () => {
    write(PROJECT, wrapped('a', 'a'));
    expect(weakness()).toContain('nobody has wrapped it');
  });
});

describe('wrap', () => {
  it("keeps no flag that a project's entry brings along, and what it writes counts from then on", async () => {
    write(PROJECT, withFlags('--observe', '--policy', '/theirs.toml', '--config', '/theirs'));
    await machine.wrap();
    expect(JSON.parse(machine.read(PROJECT))).toEqual({
      mcpServers: { a: { command: LAUNCHER[0], args: wrapped('a', 'a').slice(1) } },
    });
    expect(weakness()).toBeUndefined();
  });

  it("records a project's entry that is as it would write it, and changes no byte of it", async () => {
    write(PROJECT, wrapped('a', 'a'));
    const before = machine.read(PROJECT);
    await machine.wrap();
    expect(machine.read(PROJECT)).toBe(before);
    expect(weakness()).toBeUndefined();
  });

  it("keeps the flags of the user's entry if the user agrees, and says that --observe does not enforce", async () => {
    write(USER, withFlags('--observe'));
    await machine.wrap({ isAgreed: () => true });
    expect(machine.read(USER)).toContain('--observe');
    expect(weakness()).toContain('--observe');
  });

  const BROUGHT = [
    ['--observe', withFlags('--server', 'a', '--observe'), {}],
    ['--policy', withFlags('--server', 'a', '--policy', '/p.toml'), {}],
    ['--config', withFlags('--server', 'a', '--config=/c.toml'), {}],
    ['CLAWAI_POLICY', wrapped('a', 'a'), { CLAWAI_POLICY: '/p.toml' }],
    ['clawai_config', ['a'], { clawai_config: '/c.toml' }],
  ] as const;

  it.each(BROUGHT)("adopts no %s of the user's entry that nobody agreed to", async (what, words, env) => {
    write(USER, words, env);
    const before = machine.read(USER);
    const [outcome] = await machine.wrap();
    expect(outcome?.report?.entries).toMatchObject([{ action: 'skip', reason: 'brought', detail: what }]);
    expect(machine.read(USER)).toBe(before);
    expect(machine.remembered()).toEqual([]);
  });

  it.each(BROUGHT.slice(3))("refuses a project's %s, whoever agrees", async (what, words, env) => {
    write(PROJECT, words, env);
    const [outcome] = await machine.wrap({ isAgreed: () => true });
    expect(outcome?.report?.entries).toMatchObject([{ action: 'skip', reason: 'brought', detail: what }]);
  });

  it('records what the user agreed to, which counts from then on and is asked about once', async () => {
    write(USER, withFlags('--server', 'a', '--policy', '/p.toml'));
    const before = machine.read(USER);
    expect((await machine.wrap({ isAgreed: () => true }))[0]?.report?.entries).toMatchObject([{ action: 'adopt' }]);
    expect(machine.read(USER)).toBe(before);
    expect(weakness()).toBeUndefined();
    expect((await machine.wrap())[0]?.report?.entries).toMatchObject([{ action: 'wrapped' }]);
  });

  it('asks again about a flag that came after it was wrapped', async () => {
    write(USER, ['a']);
    await machine.wrap();
    write(USER, withFlags('--server', 'a', '--policy', '/evil.toml'));
    expect((await machine.wrap())[0]?.report?.entries).toMatchObject([{ reason: 'brought', detail: '--policy' }]);
    expect(weakness()).toContain('another policy');
  });
});

describe('what was added after it was wrapped', () => {
  it.each([
    ['--observe', withFlags('--server', 'a', '--observe'), {}, '--observe'],
    [
      'another policy',
      withFlags('--server', 'a', '--policy', '/evil.toml'),
      {},
      'another policy after it was wrapped: /evil.toml',
    ],
    ['another config', withFlags('--server', 'a', '--config', '/evil'), {}, 'a config of its own'],
    ['its environment', wrapped('a', 'a'), { CLAWAI_POLICY: '/evil' }, 'CLAWAI_POLICY'],
    ['nothing that counts', wrapped('a', 'a'), { TOKEN: 'x' }, undefined],
  ])('%s', async (_, words, env, expected) => {
    write(USER, ['a']);
    await machine.wrap();
    write(USER, words, env);
    expect(weakness()).toEqual(expected === undefined ? undefined : expect.stringContaining(expected));
  });
});

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIG_TEMPLATE } from '../../../src/cli/init/init-config.ts';
import { createFile } from '../../../src/cli/init/init.ts';
import { loadConfig } from '../../../src/config/config-file.ts';
import { defaultConfig } from '../../../src/config/config.ts';
import { findPolicy, loadPolicy } from '../../../src/config/policy-file.ts';
import { formatPolicyText } from '../../../src/policy-tools/format/format-policy-text.ts';
import { DEFAULT_APPROVAL } from '../../../src/core/policy/parse-settings.ts';
import { formatSchema, SCHEMA_NAMES } from '../../../src/schemas/schemas.ts';
import { type CliResult, ROOT, runCli } from '../../support/run-cli.ts';
import { editorCheck } from '../../support/schema-check.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-init-')));
});
afterEach(() => rmSync(home, { recursive: true }));

const ours = (name: string): string => join(home, '.config', 'clawai', name);
const read = (name: string): string => readFileSync(ours(name), 'utf8');
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const init = (...args: readonly string[]): Promise<CliResult> => runCli(['init', ...args], { env: { HOME: home } });
const machine = () => ({ env: {}, platform: process.platform, home });

describe('clawai init', () => {
  it('writes a policy and a config that only the user can read, and says what comes next', async () => {
    const { code, stdout, stderr } = await init();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('wrote  ~/.config/clawai/policy.toml\n');
    expect(stdout).toContain('wrote  ~/.config/clawai/config.toml\n');
    expect(stdout).toContain('clawai wrap --all');
    expect(stdout).toContain('clawai run -- claude');
    expect([modeOf(ours('')), modeOf(ours('policy.toml')), modeOf(ours('config.toml'))]).toEqual([0o700, 0o600, 0o600]);
    expect(readdirSync(ours('')).toSorted()).toEqual(['config.toml', 'policy.toml', 'schemas']);
  });

  it.each(['default', 'strict', 'read-only', 'observe'])('--policy %s means what the shipped one means', async (name) => {
    await init('--policy', name);
    const found = findPolicy(machine());
    expect(found).toMatchObject({ kind: 'file', file: ours('policy.toml') });
    const { rules, defaults } = await loadPolicy(found.file);
    const shipped = await loadPolicy(join(ROOT, 'policies', `${name}.toml`));
    expect(rules.map(({ action, description }) => [action, description])).toEqual(
      shipped.rules.map(({ action, description }) => [action, description]),
    );
    expect(defaults).toEqual(shipped.defaults);
  });

  it.each(['default', 'strict', 'read-only', 'observe'])('--policy %s is formatted as `policy fmt` does it', async (name) => {
    await init('--policy', name);
    expect(formatPolicyText(read('policy.toml'))).toBe(read('policy.toml'));
  });

  it.each(['default', 'strict', 'read-only', 'observe'])(
    '--policy %s shows how a person is asked, each line a default',
    async (name) => {
      await init('--policy', name);
      const shown = read('policy.toml').match(/^#[^\s#:].*$/gm);
      expect(shown).toEqual(['#[approval]', '#timeout = "45s"', '#channels = ["terminal", "desktop"]']);
      const before = await loadPolicy(ours('policy.toml'));
      writeFileSync(ours('policy.toml'), read('policy.toml').replaceAll(/^#(?=[^\s:])/gm, ''));
      const after = await loadPolicy(ours('policy.toml'));
      expect(after.approval).toEqual(DEFAULT_APPROVAL);
      expect(after.defaults).toEqual(before.defaults);
      expect(after.rules.length).toBe(before.rules.length);
      // Each of them is read.
      writeFileSync(ours('policy.toml'), read('policy.toml').replace('"45s"', '"9s"').replace(', "desktop"]', ']'));
      expect((await loadPolicy(ours('policy.toml'))).approval).toEqual({ timeout: 9000, channels: ['terminal'] });
    },
  );

  it('the config changes nothing as it is, and each of its settings shows its default', async () => {
    await init();
    const defaults = defaultConfig(machine());
    expect(await loadConfig(machine())).toEqual({ ...defaults, file: ours('config.toml') });
    writeFileSync(ours('config.toml'), CONFIG_TEMPLATE.replaceAll(/^#(?=[^\s:])/gm, ''));
    const { file: _file, fromFile, ...settings } = await loadConfig(machine());
    expect({ ...settings, file: undefined, fromFile: new Set() }).toEqual(defaults);
    expect(fromFile.size).toBe(15);
  });

  it('writes over nothing, says so, and may be run again', async () => {
    await init();
    writeFileSync(ours('policy.toml'), 'mine');
    const again = await init();
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('kept   ~/.config/clawai/policy.toml\n       it was there already\n');
    expect(read('policy.toml')).toBe('mine');
    expect(readdirSync(ours('')).toSorted()).toEqual(['config.toml', 'policy.toml', 'schemas']);
  });

  it('does not pretend that another policy was taken', async () => {
    await init();
    expect((await init('--policy', 'default')).code).toBe(0);
    const { code, stderr } = await init('--policy', 'strict');
    expect(code).toBe(1);
    expect(stderr).toContain('the policy is not strict');
  });

  it('leaves a link alone, also one that leads nowhere', async () => {
    mkdirSync(ours(''), { recursive: true });
    symlinkSync(join(home, 'elsewhere.toml'), ours('policy.toml'));
    expect((await init()).stdout).toContain('kept   ~/.config/clawai/policy.toml');
    expect(readdirSync(home)).toEqual(['.config']);
  });

  it('names a variable that makes another file count', async () => {
    const { stdout } = await runCli(['init'], { env: { HOME: home, CLAWAI_POLICY: '/x/p.toml' } });
    expect(stdout).toContain('note   $CLAWAI_POLICY names /x/p.toml');
  });

  it('writes schemas that editors find by the first line of each file, and that accept it', async () => {
    const { stdout } = await init();
    expect(stdout).toContain('wrote  ~/.config/clawai/schemas\n       by which editors complete and check these files\n');
    expect(readdirSync(ours('schemas')).toSorted()).toEqual(SCHEMA_NAMES.map((name) => `${name}.schema.json`).toSorted());
    expect([modeOf(ours('schemas')), modeOf(ours('schemas/policy.schema.json'))]).toEqual([0o700, 0o600]);
    for (const name of ['policy', 'config'] as const) {
      const file = ours(`${name}.toml`);
      expect(readFileSync(ours(`schemas/${name}.schema.json`), 'utf8')).toBe(formatSchema(name));
      expect(await editorCheck(read(`${name}.toml`), { file })).toEqual([]);
      expect(await editorCheck(`${read(`${name}.toml`)}\n[nonsense]\n`, { file })).toEqual([
        "Additional properties are not allowed ('nonsense' was unexpected)",
      ]);
    }
  });

  it('renews schemas of another version, and leaves the rest alone', async () => {
    await init();
    writeFileSync(ours('schemas/policy.schema.json'), '{}');
    rmSync(ours('schemas/fixture.schema.json'));
    writeFileSync(ours('schemas/mine.json'), 'mine');
    const again = await init();
    expect(again.stdout).toContain('wrote  ~/.config/clawai/schemas\n       in the place of those that another version');
    expect(read('schemas/policy.schema.json')).toBe(formatSchema('policy'));
    expect(read('schemas/mine.json')).toBe('mine');
    expect((await init()).stdout).toContain('kept   ~/.config/clawai/schemas\n       they are those of this version\n');
  });

  it('says how editors get to know a policy that was there before', async () => {
    mkdirSync(ours(''), { recursive: true });
    writeFileSync(ours('policy.toml'), '[defaults]\naction = "allow"\n');
    const { stdout } = await init();
    expect(stdout).toContain('make this its first line:\n       #:schema ./schemas/policy.schema.json\n');
    expect(stdout).not.toContain('./schemas/config.schema.json');
    writeFileSync(ours('policy.toml'), `#:schema ./schemas/policy.schema.json\n${read('policy.toml')}`);
    expect((await init()).stdout).not.toContain('make this its first line');
  });

  it('what is in the way of the schemas is an error with its place, before anything else is written', async () => {
    mkdirSync(ours(''), { recursive: true });
    writeFileSync(ours('schemas'), '');
    const { code, stderr } = await init();
    expect(code).toBe(2);
    expect(stderr).toMatch(/^clawai: .*\.config\/clawai\/schemas: the schemas for editors cannot be written/);
    expect(readdirSync(ours(''))).toEqual(['schemas']);
  });

  it('a folder that cannot be made is an error with its place', async () => {
    writeFileSync(join(home, '.config'), '');
    const { code, stdout, stderr } = await init();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^clawai: .*\.config.*cannot be made/);
  });

  it('an unknown policy is refused before anything is written', async () => {
    expect(await init('--policy', 'lax')).toMatchObject({ code: 2, stdout: '' });
    expect(readdirSync(home)).toEqual([]);
  });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-create-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('writes a new file for the user alone', () => {
  const file = join(folder, 'a.toml');
  expect(createFile(file, 'text')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('text');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.toml']);
});

it('leaves alone what is there: a file, or a link that leads nowhere', () => {
  writeFileSync(join(folder, 'a'), 'mine');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'b'));
  expect([createFile(join(folder, 'a'), 'x'), createFile(join(folder, 'b'), 'x')]).toEqual([false, false]);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('mine');
  expect(readdirSync(folder).toSorted()).toEqual(['a', 'b']);
});

it('says where it can write nothing', () => {
  expect(() => createFile(join(folder, 'none', 'a'), 'x')).toThrow(expect.objectContaining({ code: 'config_unwritable' }));
});

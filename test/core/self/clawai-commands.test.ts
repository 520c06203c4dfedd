import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/command-table.ts';
import { CHANGING_COMMANDS, isChangingCommand, isClawai, runsChange } from '../../../src/core/self/clawai-commands.ts';

/** Commands that an agent may have run: they show something, or run what the agent could run without them. */
const HARMLESS = [
  'proxy',
  'hook',
  'run',
  'demo',
  'status',
  'doctor',
  'scan',
  'policy test',
  'policy check',
  'policy show',
  'policy lint',
  'policy explain',
  'policy replay',
  'dlp test',
  'schema',
  'report',
  'log',
  'mcp registry list',
  'mcp registry show',
  'mcp calls',
  'mcp events',
  'mcp inspect',
  'mcp detections',
  'audit verify',
  'audit export',
  'policy schema',
  'log verify',
  'log export',
  'log show',
  'version',
  'completion',
  'service status',
];

describe('commands of clawai', () => {
  it.each(COMMANDS.map(({ name }) => name))('%s is either known to be harmless or denied', (name) => {
    expect(runsChange(['clawai', ...name.split(' ')])).toBe(!HARMLESS.includes(name));
  });

  it('those that are denied are listed for people', () => {
    const denied = COMMANDS.map(({ name }) => name).filter((name) => !HARMLESS.includes(name));
    expect(CHANGING_COMMANDS.toSorted()).toEqual(denied.toSorted());
  });

  it.each([
    ['--fix', true],
    ['--policy p.toml --project --json --strict --fix', true],
    ['--fix --dry-run', true],
    ['$FLAGS', true],
    ['--policy p.toml --strict', false],
  ])('policy lint %s changes the policy: %s', (flags, is) => {
    expect(runsChange(['clawai', 'policy', 'lint', ...flags.split(' ')])).toBe(is);
  });

  it.each([
    ['--last-denied --allow', true],
    ['--allow --event 6f0c2d.17 --json', true],
    ['--tool read --args {"path":"$HOME"}', false],
    ['--last-denied', false],
  ])('policy explain %s changes the policy: %s', (flags, is) => {
    expect(runsChange(['clawai', 'policy', 'explain', ...flags.split(' ')])).toBe(is);
  });

  it('the program is known by any of its names', () => {
    const names = [
      'clawai',
      './clawai',
      '/a/b/clawai',
      'clawai@1.2.3',
      'clawai.mjs',
      '/x/bin/clawai.mjs',
      '/opt/clawai/build/from-clone.mjs',
      'build\\from-clone.mjs',
      'C:\\x\\clawai.cmd',
      'CLAWAI',
    ];
    expect(names.filter(isClawai)).toEqual(names);
    expect(['claw', 'clawai-x', 'xclawai', '/clawai/x', 'clawai/x', 'clawai.toml'].filter(isClawai)).toEqual([]);
  });

  it('flags and a second name may stand before the command', () => {
    expect(runsChange(['npx', '-p', 'clawai', '--', 'clawai', 'unwrap'])).toBe(true);
    expect(runsChange(['clawai', '--', 'unwrap,'])).toBe(true);
    expect(runsChange(['clawai', 'policy', 'check', 'unwrap'])).toBe(false);
    expect(runsChange(['unwrap', 'clawai'])).toBe(false);
  });

  it.each([
    ['policy fmt', true],
    ['policy fmt team.toml', true],
    ['policy fmt team.toml --check', true],
    ['policy fmt ; x --check', true],
    ['policy fmt --json --check', true],
    ['policy fmt --check; clawai policy fmt', true],
    ['policy fmt --check', false],
    ['policy fmt --dry-run team.toml', false],
    ['policy fmt -', false],
    ['policy fmt --help', false],
  ])('clawai %s: %s', (words, isDenied) => {
    expect(runsChange(['clawai', ...words.split(' ')])).toBe(isDenied);
  });

  it('what clawai itself is told to start counts too', () => {
    expect(runsChange(['clawai', 'run', '--', 'clawai', 'unwrap'])).toBe(true);
    expect(runsChange(['clawai', 'run', '--session', 'x', '--quiet', '--', 'npx', 'clawai', 'approve', 'K7Q2MX'])).toBe(true);
    expect(runsChange(['clawai', 'proxy', '--', 'sh', '-c', 'x', 'clawai', 'deny'])).toBe(true);
    expect(runsChange(['clawai', 'run', '--session', 'unwrap', '--', 'claude'])).toBe(false);
    expect(isChangingCommand(['clawai', 'run', '--', 'clawai', 'init'])).toBe(true);
  });

  it('a text is a command line where nothing but what starts others comes before it', () => {
    expect(isChangingCommand(['sudo', 'env', 'A=b', 'timeout', '5', 'clawai', 'unwrap'])).toBe(true);
    expect(isChangingCommand(['Use', 'clawai', 'unwrap'])).toBe(false);
    expect(isChangingCommand(['clawai', 'is', 'great'])).toBe(false);
  });
});

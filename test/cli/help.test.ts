import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addGlobalFlags } from '../../src/cli/argv.ts';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { listFiles } from '../structure/source.ts';
import { formatHelp, formatOverview, helpWidth } from '../../src/cli/help.ts';

const SHOWN = COMMANDS.filter(({ movedTo }) => movedTo === undefined);

describe('help', () => {
  it('names the commands that exist', () => {
    expect(SHOWN.map(({ name }) => name)).toEqual([
      'init',
      'wrap',
      'unwrap',
      'status',
      'doctor',
      'scan',
      'demo',
      'approvals',
      'approve',
      'deny',
      'dashboard',
      'log',
      'log show',
      'log verify',
      'log export',
      'report',
      'policy test',
      'policy lint',
      'policy explain',
      'policy show',
      'policy replay',
      'policy fmt',
      'policy schema',
      'dlp test',
      'mcp registry list',
      'mcp registry show',
      'mcp inspect',
      'mcp approve',
      'mcp calls',
      'mcp detections',
      'mcp events',
      'run',
      'serve',
      'service install',
      'service uninstall',
      'service status',
      'service notify',
      'login',
      'logout',
      'proxy',
      'hook',
      'version',
      'completion',
    ]);
  });

  it('names of before lead to commands that exist, and are in no overview', async () => {
    const old = COMMANDS.filter(({ movedTo }) => movedTo !== undefined);
    expect(old.map(({ name, movedTo }) => [name, movedTo])).toEqual([
      ['policy check', 'policy lint'],
      ['schema', 'policy schema'],
      ['audit verify', 'log verify'],
      ['audit export', 'log export'],
    ]);
    for (const { name, movedTo } of old) {
      expect(SHOWN.map((entry) => entry.name)).toContain(movedTo);
      expect(formatOverview('', 80)).not.toMatch(new RegExp(`^  ${name.split(' ')[0]} .*${name.split(' ')[1] ?? ''}\\b`, 'm'));
    }
  });

  it('docs, hints and messages use the one name of each command that is current', () => {
    // These say what the old names are, or are the commands that have two.
    const aside = [
      'docs/cli.md',
      'src/cli/mcp/registry/mcp-approve.ts',
      'src/cli/log/log.ts',
      'src/cli/policy/lint/policy-check.ts',
    ];
    const second = ['mcp approve', 'mcp calls', 'mcp detections', 'mcp events'];
    const old = [...COMMANDS.flatMap(({ name, movedTo }) => (movedTo === undefined ? [] : [name])), ...second];
    const wanted = new RegExp(`clawai (?:${old.join('|')})\\b|from-clone\\.mjs"? (?:${old.join('|')})\\b`);
    const files = [
      'README.md',
      'SECURITY.md',
      'CONTRIBUTING.md',
      'action.yml',
      ...listFiles('docs', '.md'),
      ...listFiles('policies', '.toml'),
      ...listFiles('src', '.ts'),
    ];
    const lines = files
      .filter((file) => !aside.includes(file))
      .flatMap((file) => {
        const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
        return text.split('\n').flatMap((line) => (wanted.test(line) ? [`${file}: ${line.trim()}`] : []));
      });
    expect(lines).toEqual([]);
  });

  it.each(SHOWN)('$name: what the table calls it is what it is called', async (entry) => {
    expect((await entry.load()).meta.name).toBe(entry.name);
  });

  it.each(SHOWN)('$name: takes no words where other commands stand below it', async (entry) => {
    const isGroup = SHOWN.some(({ name }) => name.startsWith(`${entry.name} `));
    expect(isGroup && (await entry.load()).words !== undefined).toBe(false);
  });

  it.each(COMMANDS.flatMap((entry) => [60, 80, 100].map((width) => ({ ...entry, width }))))(
    '$name: fits into $width columns, names every flag and says what its exit codes mean',
    async ({ width, ...entry }) => {
      const command = addGlobalFlags(await entry.load());
      const examples = command.meta.examples ?? [];
      const help = formatHelp(entry, command, width);
      const wide = help.split('\n').filter((line) => line.length > width && !examples.includes(line.trim()));
      expect(wide).toEqual([]);
      for (const name of Object.keys(command.args)) expect(help).toContain(`  --${name}`);
      expect(help).toMatch(/^exit codes:\n  0  \S/m);
      expect(help).toMatch(/^  2  \S/m);
    },
  );

  it('the overview is one screen, and has every first word', () => {
    const lines = formatOverview('', 80).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    for (const { name } of SHOWN) expect(lines.join('\n')).toMatch(new RegExp(`^  ${name.split(' ')[0]} `, 'm'));
    for (const line of formatOverview('', 60).split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });

  it.each([
    [{}, 80],
    [{ isTTY: true }, 80],
    [{ isTTY: true, columns: 0 }, 80],
    [{ isTTY: true, columns: 40 }, 60],
    [{ isTTY: true, columns: 90 }, 90],
    [{ isTTY: true, columns: 300 }, 100],
    [{ isTTY: false, columns: 90 }, 80],
  ])('is for %j %i columns wide', (stream, width) => {
    expect(helpWidth(stream)).toBe(width);
  });
});

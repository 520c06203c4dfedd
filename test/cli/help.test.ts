import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { formatHelp, formatOverview } from '../../src/cli/help.ts';

describe('help', () => {
  it('names the commands that exist', () => {
    expect(COMMANDS.map(({ name }) => name)).toEqual([
      'init',
      'wrap',
      'unwrap',
      'status',
      'doctor',
      'proxy',
      'serve',
      'run',
      'demo',
      'approvals',
      'approve',
      'deny',
      'mcp registry list',
      'mcp registry show',
      'mcp approve',
      'mcp inspect',
      'policy test',
      'policy check',
      'policy lint',
      'policy show',
      'policy replay',
      'policy explain',
      'policy fmt',
      'schema',
      'report',
      'log show',
      'log',
      'mcp calls',
      'mcp detections',
      'mcp events',
      'audit verify',
      'audit export',
    ]);
  });

  it.each(COMMANDS)('$name: what the table calls it is what it is called', async (entry) => {
    expect((await entry.load()).meta.name).toBe(entry.name);
  });

  it.each(COMMANDS)('$name: fits into 80 columns and names every flag', async (entry) => {
    const command = await entry.load();
    const examples = command.meta.examples ?? [];
    const help = formatHelp(command);
    expect(help.split('\n').filter((line) => line.length > 80 && !examples.includes(line.trim()))).toEqual([]);
    for (const name of Object.keys(command.args)) expect(help).toContain(`  --${name}`);
  });

  it('the overview fits into 80 columns', () => {
    expect(
      formatOverview()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });
});

import { copilotCli } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';
import { describe, expect, it } from 'vitest';
import { meaningOf, checksOf } from '../../../support/tool-names.ts';

describe(`names as ${copilotCli.id} makes them`, () => {
  it.each(
    checksOf(copilotCli, {
      names: [
        ['github', 'get_issue', 'github-get_issue'],
        ['my files', 'read.it', 'my-files-read-it'],
        ['ünï', 'read', 'xn--n-nga1b-read'],
        ['ünï/x', 'read', '-n--x-read'],
        ['files', 'r'.repeat(70), `files-${'r'.repeat(58)}`],
      ],
      native: ['bash', 'view'],
      headers: [{ 'user-agent': 'copilot/0.0.400' }],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

it('hazard 32: a name that was cut and belongs to no listed tool of its server is unmapped', () => {
  const name = `known-${'r'.repeat(58)}`;
  for (const client of [copilotCli, undefined]) {
    expect(meaningOf(name, [{ name: 'known', tools: ['t'] }], { client })).toEqual({
      kind: 'unmapped',
      server: 'known',
      tool: 'r'.repeat(58),
    });
  }
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/protocol/llm/tool-names/claude-code.ts';
import { CLIENT_STYLES } from '../../../../src/protocol/llm/tool-names/client-styles.ts';
import { codex } from '../../../../src/protocol/llm/tool-names/codex.ts';
import { opencode } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';
import type { KnownServer, ToolOfServer } from '../../../../src/protocol/llm/tool-names/read-tool-name.ts';
import { zed } from '../../../../src/protocol/llm/tool-names/editors.ts';
import { meaningOf } from '../../../support/tool-names.ts';
import { runs } from '../../../support/runs.ts';

const tool = (text: string): ToolOfServer => {
  const [server = '', name = ''] = text.split(' ');
  return { server, tool: name };
};
const mcp = (...candidates: readonly string[]): object => ({ kind: 'mcp', candidates: candidates.map(tool) });
const NATIVE = { kind: 'native' };

describe('hazard 32: names are those that the client makes, never those of tools as they are', () => {
  const servers: readonly KnownServer[] = [
    { name: 'github', tools: ['get_issue', 'get.repo', 'get/repo'] },
    { name: 'a', tools: ['b__c'] },
    { name: 'a__b', tools: ['c'] },
    { name: 'silent', tools: [] },
  ];
  it.each([
    ['mcp__github__get_issue', mcp('github get_issue')],
    // More than one tool comes out so.
    ['mcp__github__get_repo', mcp('github get.repo', 'github get/repo')],
    ['mcp__a__b__c', mcp('a b__c', 'a__b c')],
    // Of a known server, and never listed.
    ['mcp__github__delete_repo', mcp('github delete_repo')],
    ['mcp__silent__x', mcp('silent x')],
    ['mcp__plugin_p_silent__x', mcp('silent x')],
    ['mcp__GitHub__get_issue', { kind: 'unmapped', server: 'GitHub', tool: 'get_issue' }],
    ['mcp__other__get_issue', { kind: 'unmapped', server: 'other', tool: 'get_issue' }],
    ['mcp__', { kind: 'unmapped', server: '', tool: '' }],
    // A last resort where it can't be a name of the client's: this is what a server calls its own.
    ['get_issue', mcp('github get_issue')],
    ['Bash', NATIVE],
    ['whatever', NATIVE],
    ['', NATIVE],
  ])('Claude Code, %j', (name, expected) => {
    expect(meaningOf(name, servers, { client: claudeCode })).toEqual(expected);
  });

  it('a server that never listed anything may have the tool that another one lists', () => {
    const known = [
      { name: 'a', tools: [] },
      { name: 'a__b', tools: ['c'] },
      { name: 'a__b__c', tools: ['x'] },
    ];
    expect(meaningOf('mcp__a__b__c', known, { client: claudeCode })).toEqual(mcp('a__b c', 'a b__c'));
  });

  it('of an unknown client, every style counts', () => {
    const known = [
      { name: 'github', tools: ['get_issue', 'issues'] },
      { name: 'x', tools: ['github_issues', 'Bash'] },
    ];
    for (const name of [
      'mcp__github__get_issue',
      'mcp_github_get_issue',
      'github_get_issue',
      'github-get_issue',
      'github__get_issue',
    ]) {
      expect(meaningOf(name, known)).toMatchObject({
        kind: 'mcp',
        candidates: expect.arrayContaining([tool('github get_issue')]),
      });
    }
    expect(meaningOf('github_issues', known)).toEqual(mcp('github issues', 'x github_issues'));
    expect(meaningOf('Bash', known)).toEqual(mcp('x Bash'));
    expect(meaningOf('unknown__tool', known)).toEqual({ kind: 'unmapped', server: 'unknown', tool: 'tool' });
    expect(meaningOf('my_function', known)).toEqual(NATIVE);
  });

  it("a client's own tool is not taken for one that its server never listed", () => {
    const known = [{ name: 'web', tools: ['open'] }];
    expect(meaningOf('web_search', known)).toEqual(NATIVE);
    expect(meaningOf('web_close', known)).toEqual(mcp('web close'));
    expect(meaningOf('webfetch', known, { client: opencode })).toEqual(NATIVE);
  });

  it('a prefix that all know counts for clients that have another way', () => {
    expect(meaningOf('mcp__x__y', [], { client: opencode })).toEqual({ kind: 'unmapped', server: 'x', tool: 'y' });
    expect(meaningOf('x__y', [], { client: opencode })).toEqual(NATIVE);
  });

  it('tools of the provider that the client runs are its own', () => {
    const known = [{ name: 's', tools: ['bash', 'search'] }];
    const requestTools = new Map([
      ['bash', { name: 'bash', type: 'bash_20250124' }],
      ['search', { name: 'search', type: 'custom' }],
    ]);
    expect(meaningOf('bash', known, { requestTools })).toEqual(NATIVE);
    expect(meaningOf('search', known, { requestTools })).toEqual(mcp('s search'));
    expect(meaningOf('bash', known)).toEqual(mcp('s bash'));
  });

  it('what a name is part of is said apart from it', () => {
    const known = [{ name: 'files', tools: ['read'] }];
    expect(meaningOf('read', known, { client: codex, group: 'mcp__files' })).toEqual(mcp('files read'));
    expect(meaningOf('write', known, { client: codex, group: 'mcp__files' })).toEqual(mcp('files write'));
    expect(meaningOf('read', known, { client: claudeCode, group: 'files' })).toEqual(mcp('files read'));
    expect(meaningOf('read', known, { client: codex, group: 'mcp__other' })).toEqual({
      kind: 'unmapped',
      server: 'other',
      tool: 'read',
    });
    expect(meaningOf('spawn_agent', known, { client: codex, group: 'multi_agent_v1' })).toEqual(NATIVE);
  });

  it('a bare name is all the tools that are called so', () => {
    const known = [
      { name: 'a', tools: ['read'] },
      { name: 'b', tools: ['read'] },
    ];
    expect(meaningOf('read', known, { client: zed })).toEqual(mcp('a read', 'b read'));
  });

  it('what no API takes is no name', () => {
    for (const name of [`mcp__a__${'x'.repeat(300)}`, 'x'.repeat(300)]) {
      expect(meaningOf(name, [{ name: 'a', tools: [] }])).toEqual({ kind: 'unmapped', server: '', tool: name });
    }
  });
});

const names = fc.string({
  unit: fc.constantFrom('a', 'b', '_', '__', '-', '.', ' ', 'Z', 'é', 'mcp'),
  minLength: 1,
  maxLength: 12,
});
const long = fc.oneof(names, fc.string({ unit: fc.constantFrom('a', 'b', '_'), minLength: 50, maxLength: 90 }));
const known = fc.uniqueArray(fc.record({ name: names, tools: fc.uniqueArray(long, { minLength: 1, maxLength: 4 }) }), {
  selector: ({ name }) => name,
  minLength: 1,
  maxLength: 4,
});

describe('whatever servers and tools are called', () => {
  it('a name that a client makes is never taken for anything but what it was made of', () => {
    fc.assert(
      fc.property(known, fc.nat(), fc.nat(), fc.constantFrom(...CLIENT_STYLES), (servers, n, m, style) => {
        const server = servers[n % servers.length];
        const made = server?.tools[m % server.tools.length];
        if (server === undefined || made === undefined) return;
        const cut = style.cut?.names(server.name)(made) ?? [];
        const joined = style.forms.flatMap(({ prefix, separator, server: spell, tool: spellTool }) =>
          spell(server.name).map((spelled) => prefix + spelled + separator + spellTool(made)),
        );
        for (const name of [...joined, ...cut.filter((each) => style.cut?.isCut(each))]) {
          if (name.length > 200 || style.native.has(name)) continue;
          for (const client of [style, undefined]) {
            const meaning = meaningOf(name, servers, { client });
            expect(meaning).toMatchObject({ kind: 'mcp' });
            if (meaning.kind === 'mcp') expect(meaning.candidates).toContainEqual({ server: server.name, tool: made });
          }
        }
      }),
      { numRuns: runs(1500) },
    );
  });

  it('any text means something, and the same each time', () => {
    fc.assert(
      fc.property(known, long, fc.option(long, { nil: undefined }), (servers, name, group) => {
        const meaning = meaningOf(name, servers, { group });
        if (meaning.kind === 'mcp') expect(meaning.candidates.length).toBeGreaterThan(0);
        expect(meaningOf(name, [...servers], { group })).toEqual(meaning);
      }),
      { numRuns: runs(1000) },
    );
  });
});

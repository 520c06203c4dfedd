import { describe, expect, it } from 'vitest';
import type { ClientStyle, RequestHeaders } from '../../src/protocol/llm/tool-names/client-style.ts';
import { clientStyleOf } from '../../src/protocol/llm/tool-names/client-style-of.ts';
import {
  type AboutName,
  type KnownServer,
  readToolName,
  type ToolMeaning,
} from '../../src/protocol/llm/tool-names/read-tool-name.ts';

/** What a name means where only these servers are known. */
export function meaningOf(name: string, servers: readonly KnownServer[], about: Partial<AboutName> = {}): ToolMeaning {
  return readToolName(name, { client: undefined, requestTools: new Map(), servers, ...about });
}

export function headersOf(headers: Readonly<Record<string, string>>): RequestHeaders {
  return { userAgent: headers['user-agent'], get: (name) => headers[name] };
}

export interface StyleCases {
  /** Server, tool, the name that the client makes of them, and the group that it says apart. */
  readonly names: readonly (readonly [server: string, tool: string, name: string, group?: string])[];
  /** Names of the agent's own tools. */
  readonly native: readonly string[];
  /** Of its requests; none where it can't be told. */
  readonly headers?: readonly Readonly<Record<string, string>>[];
  /** Names of unknown servers, with what is read of them. */
  readonly unmapped?: readonly (readonly [name: string, server: string, tool: string])[];
}

/** Tests of one style: what it makes of names is found again, whether the client is known or not. */
export function testStyle(style: ClientStyle, { names, native, headers = [], unmapped = [] }: StyleCases): void {
  describe(`names as ${style.id} makes them`, () => {
    it.each(names.map(([server, tool, name, group]) => ({ server, tool, name, group })))(
      '$server, $tool: $name',
      ({ server, tool, name, group }) => {
        const servers = [{ name: server, tools: ['another', tool] }];
        const meaning = { kind: 'mcp', candidates: expect.arrayContaining([{ server, tool }]) };
        expect(meaningOf(name, servers, { client: style, group })).toEqual({ kind: 'mcp', candidates: [{ server, tool }] });
        expect(meaningOf(name, servers, { group })).toEqual(meaning);
        // The case counts: this is another name.
        const other = name.replace(/[a-z]/, (letter) => letter.toUpperCase());
        expect(meaningOf(other, servers, { client: style, group })).not.toEqual(meaning);
      },
    );

    it.each(native)('%s is its own tool, also where a server lists it', (name) => {
      const meaning = meaningOf(name, [{ name: 'other', tools: [name] }], { client: style });
      expect(meaning).toEqual(style.isBare ? { kind: 'mcp', candidates: [{ server: 'other', tool: name }] } : { kind: 'native' });
      expect(meaningOf(name, [{ name: 'other', tools: [] }], { client: style })).toEqual({ kind: 'native' });
    });

    for (const [name, server, tool] of unmapped) {
      it(`hazard 32: ${name} is of no known server, and unmapped, never passed over`, () => {
        expect(meaningOf(name, [{ name: 'known', tools: ['t'] }], { client: style })).toEqual({ kind: 'unmapped', server, tool });
        expect(meaningOf(name, [])).toMatchObject({ kind: 'unmapped' });
      });
    }

    for (const sent of headers) {
      it('is told by its headers', () => expect(clientStyleOf(headersOf(sent))).toBe(style));
    }
  });
}

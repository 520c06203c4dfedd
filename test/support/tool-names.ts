import type { ClientStyle, RequestHeaders } from '../../src/protocol/llm/tool-names/client-style.ts';
import { clientStyleOf } from '../../src/protocol/llm/tool-names/client-styles.ts';
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

/** Something that is asked of a style, and what has to come of it. */
export interface StyleCheck {
  readonly what: string;
  readonly actual: () => unknown;
  readonly expected: unknown;
}

/** What is expected of one style: what it makes of names is found again, whether the client is known or not. */
export function checksOf(style: ClientStyle, { names, native, headers = [], unmapped = [] }: StyleCases): readonly StyleCheck[] {
  return [
    ...names.flatMap((name) => ofName(style, name)),
    ...native.flatMap((name) => ofNative(style, name)),
    ...unmapped.flatMap((name) => ofUnmapped(style, name)),
    ...headers.map((sent) => ({
      what: `is told by its headers ${JSON.stringify(sent)}`,
      actual: () => clientStyleOf(headersOf(sent))?.id,
      expected: style.id,
    })),
  ];
}

function ofName(style: ClientStyle, [server, tool, name, group]: StyleCases['names'][number]): readonly StyleCheck[] {
  const servers = [{ name: server, tools: ['another', tool] }];
  const found = { server, tool };
  const candidatesOf = (meaning: ToolMeaning) => (meaning.kind === 'mcp' ? meaning.candidates : []);
  const isFound = (meaning: ToolMeaning): boolean =>
    candidatesOf(meaning).some((one) => one.server === server && one.tool === tool);
  const other = name.replace(/[a-z]/, (letter) => letter.toUpperCase());
  const what = `${server}, ${tool}: ${name}`;
  return [
    {
      what: `${what} by its client`,
      actual: () => meaningOf(name, servers, { client: style, group }),
      expected: { kind: 'mcp', candidates: [found] },
    },
    { what: `${what} by a client that is not known`, actual: () => isFound(meaningOf(name, servers, { group })), expected: true },
    {
      what: `${what}, and not ${other}, since the case counts`,
      actual: () => isFound(meaningOf(other, servers, { client: style, group })),
      expected: false,
    },
  ];
}

function ofNative(style: ClientStyle, name: string): readonly StyleCheck[] {
  return [
    {
      what: `${name} is its own tool, also where a server lists it`,
      actual: () => meaningOf(name, [{ name: 'other', tools: [name] }], { client: style }),
      expected: style.isBare ? { kind: 'mcp', candidates: [{ server: 'other', tool: name }] } : { kind: 'native' },
    },
    {
      what: `${name} is its own tool where no server lists it`,
      actual: () => meaningOf(name, [{ name: 'other', tools: [] }], { client: style }),
      expected: { kind: 'native' },
    },
  ];
}

function ofUnmapped(style: ClientStyle, [name, server, tool]: readonly [string, string, string]): readonly StyleCheck[] {
  return [
    {
      what: `hazard 32: ${name} is of no known server, and unmapped, never passed over`,
      actual: () => meaningOf(name, [{ name: 'known', tools: ['t'] }], { client: style }),
      expected: { kind: 'unmapped', server, tool },
    },
    { what: `hazard 32: ${name} where no server is known`, actual: () => meaningOf(name, []).kind, expected: 'unmapped' },
  ];
}

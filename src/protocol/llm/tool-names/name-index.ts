import type { ClientStyle, NameForm } from './client-style.ts';

/** A server of the registry or the policy. */
export interface KnownServer {
  readonly name: string;
  /** Names of the tools that it listed; empty if it never listed any. */
  readonly tools: readonly string[];
  /** The server's own titles. */
  readonly titles?: readonly string[];
}

/** A tool that a name may mean. */
export interface ToolOfServer {
  readonly server: string;
  readonly tool: string;
}

/** A server under one of its spellings. */
export interface SpelledServer {
  readonly server: KnownServer;
  /** Returns its tools with this spelling; empty if there are none. */
  toolsSpelled(text: string): readonly string[];
}

/** The known names as one style spells them. */
export interface StyleIndex {
  /** The style's forms, in order. */
  readonly forms: readonly { readonly form: NameForm; serversSpelled(text: string): readonly SpelledServer[] }[];
  /** Returns tools that may have this name after cutting. */
  cut(name: string): readonly ToolOfServer[];
}

/** An index of known servers and tools. */
export interface NameIndex {
  of(style: ClientStyle): StyleIndex;
  /** Returns tools of exactly this name. */
  bare(tool: string): readonly ToolOfServer[];
  /** Returns the server of exactly this name. */
  server(name: string): KnownServer | undefined;
}

const built = new WeakMap<readonly KnownServer[], NameIndex>();
const NONE: readonly never[] = [];

/** Returns the index of these servers: built once per array, and each style's part on first use. The array must not change. */
export function nameIndexOf(servers: readonly KnownServer[]): NameIndex {
  let index = built.get(servers);
  if (index === undefined) {
    index = createNameIndex(servers);
    built.set(servers, index);
  }
  return index;
}

function createNameIndex(servers: readonly KnownServer[]): NameIndex {
  const styles = new Map<ClientStyle, StyleIndex>();
  const byName = new Map(servers.map((server) => [server.name, server]));
  const byTool = once(() => collect(servers, (server) => server.tools.map((tool) => [tool, { server: server.name, tool }])));
  return {
    of(style) {
      let index = styles.get(style);
      if (index === undefined) {
        index = createStyleIndex(style, servers);
        styles.set(style, index);
      }
      return index;
    },
    bare: (tool) => byTool().get(tool) ?? NONE,
    server: (name) => byName.get(name),
  };
}

function createStyleIndex(style: ClientStyle, servers: readonly KnownServer[]): StyleIndex {
  const namesOf = ({ name, titles = [] }: KnownServer): readonly string[] =>
    style.usesTitles === true ? [name, ...titles] : [name];
  const spellings = (form: NameForm): Map<string, SpelledServer[]> =>
    collect(servers, (server) => {
      const tools = once(() => collect(server.tools, (tool) => [[form.tool(tool), tool]]));
      const spelled: SpelledServer = { server, toolsSpelled: (text) => tools().get(text) ?? NONE };
      return [...new Set(namesOf(server).flatMap(form.server))].map((text) => [text, spelled]);
    });
  const cutNames = once(() =>
    collect(servers, (server) => {
      const makers = namesOf(server).flatMap((name) => style.cut?.names(name) ?? NONE);
      return server.tools.flatMap((tool) => {
        const names = new Set(makers.flatMap((make) => make(tool)).filter((name) => style.cut?.isCut(name)));
        return [...names].map((name) => [name, { server: server.name, tool }] as const);
      });
    }),
  );
  return {
    forms: style.forms.map((form) => {
      const spelled = spellings(form);
      return { form, serversSpelled: (text) => spelled.get(text) ?? NONE };
    }),
    cut: (name) => (style.cut?.isCut(name) === true ? (cutNames().get(name) ?? NONE) : NONE),
  };
}

function collect<Item, Value>(
  items: readonly Item[],
  entries: (item: Item) => readonly (readonly [key: string, value: Value])[],
): Map<string, Value[]> {
  const found = new Map<string, Value[]>();
  for (const item of items) {
    for (const [key, value] of entries(item)) {
      const list = found.get(key);
      if (list === undefined) found.set(key, [value]);
      else list.push(value);
    }
  }
  return found;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

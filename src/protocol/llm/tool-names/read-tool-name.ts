import { type ClientStyle, isNativeName, type NameForm } from './client-style.ts';
import { CLIENT_STYLES } from './client-styles.ts';
import { type KnownServer, nameIndexOf, type StyleIndex, type ToolOfServer } from './name-index.ts';

/** A name taken apart at one of its separators. */
interface NameSplit {
  readonly server: string;
  readonly tool: string;
}

export type { KnownServer, ToolOfServer } from './name-index.ts';

/** What a name in an LLM's answer may mean. */
export type ToolMeaning =
  /** The agent's own tool. */
  | { readonly kind: 'native' }
  /** All that it may be, at least one; the strictest decision over them counts. */
  | { readonly kind: 'mcp'; readonly candidates: readonly ToolOfServer[] }
  /** It looks like an MCP tool's name and belongs to no known server, or to nothing that one lists; read as far as it can be. */
  | { readonly kind: 'unmapped'; readonly server: string; readonly tool: string };

/** What of a tool in the request's own list tells whose it is. */
export interface RequestTool {
  readonly name: string;
  /** As the API has it: `function`, `custom`, `bash_20250124`; undefined where it was not given. */
  readonly type: string | undefined;
  /** What it is part of, where the API says that apart from its name. */
  readonly group?: string | undefined;
  /** Source text of its definition as an object, where it has one. */
  readonly definition?: string | undefined;
}

export interface AboutName {
  /** Undefined: unknown, and every style counts. */
  readonly client: ClientStyle | undefined;
  /** The same array as long as nothing changes: what is built from it is kept with it. */
  readonly servers: readonly KnownServer[];
  /** By name. Tools that are loaded later need not be in it. */
  readonly requestTools: ReadonlyMap<string, RequestTool>;
  /** What the name is part of, where the API says that apart from it. */
  readonly group?: string | undefined;
}

/** No API takes names that are nearly as long: 64 or 128 characters are what they allow. */
export const MOST_NAME = 256;
/** Types of tools whose names the client makes up. All others are the provider's own, and the client runs them itself. */
const NAMED_BY_CLIENT: ReadonlySet<string | undefined> = new Set([
  undefined,
  'custom',
  'function',
  'namespace',
  'mcp',
  'mcp_toolset',
]);

/**
 * Says what a tool's name in an LLM's answer may mean. Names are compared with those that the client would make of what is known, in
 * their exact case. A server that never listed its tools, or lists none that comes out so, may still have the tool that the name says: it is a
 * candidate where nothing else is, and one that never listed any always is. What is looked at is bounded by the name's length.
 */
export function readToolName(name: string, about: AboutName): ToolMeaning {
  const { client, servers, requestTools, group } = about;
  if (name.length > MOST_NAME || (group?.length ?? 0) > MOST_NAME) return { kind: 'unmapped', server: group ?? '', tool: name };
  if (group === undefined && isKnownNative(name, { client, requestTools })) return { kind: 'native' };
  const index = nameIndexOf(servers);
  const styles = client === undefined ? CLIENT_STYLES : [client];
  const found: Found = { listed: [], unlisted: [], isCut: false };
  for (const style of styles) look(index.of(style), { style, name, group, found });
  // What a name is part of may be the server itself.
  if (group !== undefined && index.server(group) !== undefined) found.listed.push({ server: group, tool: name });
  const mark = markOf(styles, name, group);
  const isLost = found.listed.length === 0 && found.unlisted.length === 0 && mark === undefined;
  // Where tools are always called by more than their name, that alone is a last resort.
  if (isLost || styles.some(({ isBare }) => isBare)) found.listed.push(...index.bare(name));
  return meaningOf(found, { name, mark, isNative: group === undefined && styles.some((style) => isNativeName(style, name)) });
}

function isKnownNative(name: string, { client, requestTools }: Pick<AboutName, 'client' | 'requestTools'>): boolean {
  if (!NAMED_BY_CLIENT.has(requestTools.get(name)?.type)) return true;
  return client !== undefined && !client.isBare && isNativeName(client, name);
}

/** A tool that nobody listed, of a server that is known. */
interface Unlisted extends ToolOfServer {
  /** Its server listed none at all. */
  readonly isSilent: boolean;
  /** The agent's own tools may be called so too. */
  readonly isVague: boolean;
}

interface Found {
  readonly listed: ToolOfServer[];
  readonly unlisted: Unlisted[];
  /** A style cuts names so that this may be one, and it is none that is known. */
  isCut: boolean;
}

interface Looked {
  readonly style: ClientStyle;
  readonly name: string;
  readonly group: string | undefined;
  readonly found: Found;
}

function look(index: StyleIndex, { style, name, group, found }: Looked): void {
  const { listed, unlisted } = found;
  const before = { listed: listed.length, unlisted: unlisted.length };
  for (const { form, serversSpelled } of index.forms) {
    for (const { server: part, tool } of splitName(form, name, group)) {
      for (const text of [part, ...(form.serverIn?.(part) ?? [])]) {
        for (const { server, toolsSpelled } of serversSpelled(text)) {
          const tools = toolsSpelled(tool);
          for (const each of tools) listed.push({ server: server.name, tool: each });
          if (tools.length > 0 || tool === '') continue;
          unlisted.push({ server: server.name, tool, isSilent: server.tools.length === 0, isVague: form.mark === 'none' });
        }
      }
    }
  }
  const whole = group === undefined ? name : `${group}__${name}`;
  listed.push(...index.cut(whole));
  if (listed.length > before.listed || style.cut?.isCut(whole) !== true) return;
  // It may stand for any tool of the server, so it is not taken for what it says.
  found.isCut ||= unlisted.length > before.unlisted || style.forms.some((form) => readMark(form, name, group) !== undefined);
}

/** What a name that looks like an MCP tool's says. Some prefixes are so plain that they count whoever the client is. */
function markOf(styles: readonly ClientStyle[], name: string, group: string | undefined): NameSplit | undefined {
  for (const style of CLIENT_STYLES) {
    const isOwn = styles.includes(style);
    for (const form of style.forms) {
      const read = isOwn || form.mark === 'prefix' ? readMark(form, name, group) : undefined;
      if (read !== undefined) return read;
    }
  }
  return undefined;
}

interface Seen {
  readonly name: string;
  readonly mark: NameSplit | undefined;
  readonly isNative: boolean;
}

function meaningOf({ listed, unlisted, isCut }: Found, { name, mark, isNative }: Seen): ToolMeaning {
  if (listed.length > 0) return { kind: 'mcp', candidates: unique([...listed, ...unlisted.filter(({ isSilent }) => isSilent)]) };
  if (isCut) {
    const { server, tool } = mark ?? unlisted[0] ?? { server: '', tool: name };
    return { kind: 'unmapped', server, tool };
  }
  const likely = isNative ? unlisted.filter(({ isVague }) => !isVague) : unlisted;
  if (likely.length > 0) return { kind: 'mcp', candidates: unique(likely) };
  return mark === undefined || isNative ? { kind: 'native' } : { kind: 'unmapped', ...mark };
}

function unique(tools: readonly ToolOfServer[]): readonly ToolOfServer[] {
  const seen = new Map<string, Set<string>>();
  return tools.flatMap(({ server, tool }) => {
    const names = seen.get(server) ?? new Set();
    seen.set(server, names);
    if (names.has(tool)) return [];
    names.add(tool);
    return [{ server, tool }];
  });
}

/** Every way in which a form may have made a name: the names of servers and tools may have the separator in them. */
export function splitName(form: NameForm, name: string, group: string | undefined): readonly NameSplit[] {
  const { prefix, separator } = form;
  if (!(group ?? name).startsWith(prefix)) return [];
  if (group !== undefined) return form.isGrouped === true ? [{ server: group.slice(prefix.length), tool: name }] : [];
  const splits: NameSplit[] = [];
  for (let at = name.indexOf(separator, prefix.length); at !== -1; at = name.indexOf(separator, at + 1)) {
    splits.push({ server: name.slice(prefix.length, at), tool: name.slice(at + separator.length) });
  }
  return splits;
}

/**
 * Does a name look as if this form had made it? How it reads then, although nobody knows the server: `server` is empty where the name
 * has the prefix and no separator.
 */
export function readMark(form: NameForm, name: string, group: string | undefined): NameSplit | undefined {
  const { prefix, mark } = form;
  if (mark === 'none') return undefined;
  const splits = splitName(form, name, group);
  // A group without a prefix is what the agent's own tools may have too.
  if (group !== undefined) return prefix === '' ? undefined : splits[0];
  const whole = splits.find(({ server, tool }) => server !== '' && tool !== '');
  if (whole !== undefined || mark === 'both_parts') return whole;
  return name.startsWith(prefix) ? { server: '', tool: name.slice(prefix.length) } : undefined;
}

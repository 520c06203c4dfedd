import { type ClientStyle, isNativeName, type NameForm } from './client-style.ts';
import { CLIENT_STYLES } from './client-styles.ts';
import { type KnownServer, nameIndexOf, type StyleIndex, type ToolOfServer } from './name-index.ts';

/** A name split at one of its separators. */
interface NameSplit {
  readonly server: string;
  readonly tool: string;
}

export type { KnownServer, ToolOfServer } from './name-index.ts';

/** The possible meanings of a name in an LLM's answer. */
export type ToolMeaning =
  /** The agent's own tool. */
  | { readonly kind: 'native' }
  /** All possible tools, at least one; the strictest decision among them counts. */
  | { readonly kind: 'mcp'; readonly candidates: readonly ToolOfServer[] }
  /** It looks like an MCP tool's name, but its server is unknown, or does not list it; the parts are a guess. */
  | { readonly kind: 'unmapped'; readonly server: string; readonly tool: string };

/** The parts of a tool in the request that show its owner. */
export interface RequestTool {
  readonly name: string;
  /** The API's type: `function`, `custom`, `bash_20250124`; undefined if absent. */
  readonly type: string | undefined;
  /** Its group, if the API gives that separately from the name. */
  readonly group?: string | undefined;
  /** Source text of its definition as an object, if it has one. */
  readonly definition?: string | undefined;
}

export interface AboutName {
  /** Undefined if unknown; then every style counts. */
  readonly client: ClientStyle | undefined;
  /** The same array as long as nothing changes, since an index is cached with it. */
  readonly servers: readonly KnownServer[];
  /** Tools by name. Tools that are loaded later may be missing. */
  readonly requestTools: ReadonlyMap<string, RequestTool>;
  /** The name's group, if the API gives that separately. */
  readonly group?: string | undefined;
}

/** APIs allow only 64 or 128 characters. */
export const MOST_NAME = 256;
/** Types of tools whose names the client chooses. All others are defined by the provider, and the client implements them itself. */
const NAMED_BY_CLIENT: ReadonlySet<string | undefined> = new Set([
  undefined,
  'custom',
  'function',
  'namespace',
  'mcp',
  'mcp_toolset',
]);

/**
 * Finds the possible meanings of a tool's name in an LLM's answer. It compares the name, case-sensitively, with those that the client would
 * build from the known servers and tools. A server may have an unlisted tool of that name: it is a candidate if there is no other, and a
 * server that never listed any tool always is. The work is bounded by the name's length.
 */
export function readToolName(name: string, about: AboutName): ToolMeaning {
  const { client, servers, requestTools, group } = about;
  if (name.length > MOST_NAME || (group?.length ?? 0) > MOST_NAME) return { kind: 'unmapped', server: group ?? '', tool: name };
  if (group === undefined && isKnownNative(name, { client, requestTools })) return { kind: 'native' };
  const index = nameIndexOf(servers);
  const styles = client === undefined ? CLIENT_STYLES : [client];
  const found: Found = { listed: [], unlisted: [], isCut: false };
  for (const style of styles) look(index.of(style), { style, name, group, found });
  // The group may be the server itself.
  if (group !== undefined && index.server(group) !== undefined) found.listed.push({ server: group, tool: name });
  const mark = markOf(styles, name, group);
  const isLost = found.listed.length === 0 && found.unlisted.length === 0 && mark === undefined;
  // If tools are never called by their name alone, this is a last resort.
  if (isLost || styles.some(({ isBare }) => isBare)) found.listed.push(...index.bare(name));
  return meaningOf(found, { name, mark, isNative: group === undefined && styles.some((style) => isNativeName(style, name)) });
}

function isKnownNative(name: string, { client, requestTools }: Pick<AboutName, 'client' | 'requestTools'>): boolean {
  if (!NAMED_BY_CLIENT.has(requestTools.get(name)?.type)) return true;
  return client !== undefined && !client.isBare && isNativeName(client, name);
}

/** An unlisted tool of a known server. */
interface Unlisted extends ToolOfServer {
  /** True if its server listed no tools at all. */
  readonly isSilent: boolean;
  /** True if the agent's own tools may look the same. */
  readonly isVague: boolean;
}

interface Found {
  readonly listed: ToolOfServer[];
  readonly unlisted: Unlisted[];
  /** True if a style may have cut this name, and it is not a known one. */
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
  // It may stand for any tool of the server, so its text is not trusted.
  found.isCut ||= unlisted.length > before.unlisted || style.forms.some((form) => readMark(form, name, group) !== undefined);
}

/** Reads a name that looks like an MCP tool's. Prefixes count for any client, since they are unmistakable. */
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

/** Returns all ways in which a form may have built a name: names of servers and tools may contain the separator. */
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
 * Reads a name that looks as if this form had built it, although its server is unknown. `server` is empty if the name has the prefix but no
 * separator.
 */
export function readMark(form: NameForm, name: string, group: string | undefined): NameSplit | undefined {
  const { prefix, mark } = form;
  if (mark === 'none') return undefined;
  const splits = splitName(form, name, group);
  // The agent's own tools may have a group without a prefix too.
  if (group !== undefined) return prefix === '' ? undefined : splits[0];
  const whole = splits.find(({ server, tool }) => server !== '' && tool !== '');
  if (whole !== undefined || mark === 'both_parts') return whole;
  return name.startsWith(prefix) ? { server: '', tool: name.slice(prefix.length) } : undefined;
}

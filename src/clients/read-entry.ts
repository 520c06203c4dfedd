import type { EntryShape, JsonPath } from './client.ts';
import type { JsonNode } from './scan-json.ts';

/** One server of a config file, whatever its client's shape. */
export interface Entry {
  /** The path of the entry, such as `['mcpServers', 'github']`. */
  readonly path: JsonPath;
  /** The last part of the path: the key by which the client knows the server. */
  readonly name: string;
  /** `other`: well-formed, but neither a process nor a URL, e.g. provided by an extension. `malformed`: see `problem`; never touched. */
  readonly kind: 'stdio' | 'remote' | 'other' | 'malformed';
  readonly isDisabled: boolean;
  readonly command?: string | undefined;
  /** The arguments; empty if the entry has none. */
  readonly args?: readonly string[] | undefined;
  /** The environment; a value that is no string is as the file has it. Undefined if there is none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** A file with more of it, as the entry names it. */
  readonly envFile?: string | undefined;
  /** The folder in which the process is started, as the entry names it. */
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  /** The headers that go with the URL; undefined if it has none, or any of them is no string. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The entry's `type`, if it is a string. */
  readonly type?: string | undefined;
  /** Keys of the entry that are set, to anything but null or false, in order. */
  readonly keys: readonly string[];
  /** The paths of command, argument list and URL. `argsPath` need not exist; it is undefined if the command is an argv array. */
  readonly commandPath?: JsonPath | undefined;
  readonly argsPath?: JsonPath | undefined;
  readonly urlPath?: JsonPath | undefined;
  /** Exact text of those values as in the file; undefined where absent. */
  readonly rawCommand?: string | undefined;
  readonly rawArgs?: string | undefined;
  readonly rawUrl?: string | undefined;
  /** The reason why it is malformed or other: a phrase without a full stop. */
  readonly problem?: string | undefined;
  /** 1-based line of the entry's key. */
  readonly line: number;
}

type Reading = Omit<Entry, 'line'>;

interface Found {
  readonly path: JsonPath;
  readonly node: JsonNode;
}

/** Values of `type` that say a URL is to be called, over all clients. */
const REMOTE_TYPES = new Set(['http', 'sse', 'ws', 'remote', 'streamable-http', 'streamableHttp', 'streamable_http']);
const PROCESS_TYPES = new Set(['stdio', 'local']);

/** Reads one entry. `doubt` is a reason known before not to trust it. */
export function readEntry(from: {
  readonly text: string;
  readonly path: JsonPath;
  readonly node: JsonNode;
  readonly shape: EntryShape;
  readonly doubt: string | undefined;
}): Reading {
  const { text, path, node, shape, doubt } = from;
  const name = path.at(-1) ?? '';
  const start = { path, name, isDisabled: isDisabled(node, shape), keys: setKeys(node) };
  const malformed = (problem: string): Reading => ({ ...start, kind: 'malformed', problem });
  if (doubt !== undefined) return malformed(doubt);
  if (node.kind !== 'object') return malformed('it is not an object');
  if (node.duplicate !== undefined) return malformed(`the key ${JSON.stringify(node.duplicate)} appears twice`);

  const body = bodyOf({ path, node }, shape);
  const type = stringAt(body.node, 'type') ?? stringAt(node, 'type');
  const known = { ...start, type };
  if (type !== undefined && shape.otherTypes?.includes(type) === true) {
    return { ...known, kind: 'other', problem: `servers of type ${JSON.stringify(type)} belong to the client` };
  }
  const urlKey = shape.urls.find((key) => memberOf(body.node, key) !== undefined);
  const hasCommand = memberOf(body.node, commandKey(shape)) !== undefined;
  if (!hasCommand && urlKey === undefined) {
    const isOverlay = type === undefined && shape.mayLackCommand === true;
    if (isOverlay) return { ...known, kind: 'other', problem: 'it only has settings of a server that is defined elsewhere' };
    return { ...malformed('it has neither a command nor a URL'), type };
  }
  const saysRemote = type !== undefined && REMOTE_TYPES.has(type);
  const saysProcess = type !== undefined && PROCESS_TYPES.has(type);
  if (hasCommand && urlKey !== undefined && !saysRemote && !saysProcess) {
    return { ...malformed('it has both a command and a URL'), type };
  }
  const obstacle = obstacleIn([
    node,
    body.node,
    ...[commandKey(shape), 'args', ...shape.urls].map((key) => memberOf(body.node, key)),
  ]);
  if (obstacle !== undefined) return { ...malformed(obstacle), type };
  const isRemote = urlKey !== undefined && (!hasCommand || saysRemote);
  if (isRemote ? saysProcess : saysRemote) {
    return { ...malformed(`its type is ${JSON.stringify(type)} but it has no ${isRemote ? 'command' : 'URL'}`), type };
  }
  if (isRemote) {
    const value = memberOf(body.node, urlKey);
    if (value?.kind !== 'string' || value.value === '')
      return { ...malformed(`${JSON.stringify(urlKey)} is not a string`), type };
    const headers = readStrings(memberOf(body.node, 'headers') ?? memberOf(node, 'headers'));
    return {
      ...known,
      kind: 'remote',
      url: value.value,
      urlPath: [...body.path, urlKey],
      rawUrl: rawText(text, value),
      ...(headers?.isWhole === true ? { headers: headers.strings } : {}),
    };
  }
  const read = readCommand(text, body, shape);
  if (typeof read === 'string') return { ...malformed(read), type };
  const env = readEnv(text, [node, body.node, memberOf(body.node, 'command')], shape.env);
  const envFile = stringAt(node, 'envFile');
  const cwd = stringAt(node, 'cwd') ?? stringAt(body.node, 'cwd');
  return {
    ...known,
    kind: 'stdio',
    ...read,
    env,
    ...(envFile !== undefined && { envFile }),
    ...(cwd !== undefined && { cwd }),
  };
}

/** The object that holds command and URL: the entry, or what is nested in it. */
function bodyOf(entry: Found, { stdio }: EntryShape): Found {
  if (stdio !== 'command-or-transport') return entry;
  const transport = memberOf(entry.node, 'transport');
  return transport?.kind === 'object' ? { path: [...entry.path, 'transport'], node: transport } : entry;
}

/** The command line, or what is wrong with it. */
function readCommand(text: string, body: Found, { stdio }: EntryShape): Partial<Reading> | string {
  const command = memberOf(body.node, 'command');
  const commandPath = [...body.path, 'command'];
  if (stdio === 'argv') {
    const argv = stringsOf(command);
    const [first, ...args] = argv ?? [];
    if (command === undefined || first === undefined || first === '') return '"command" is not a list of strings';
    return { command: first, args, commandPath, rawCommand: rawText(text, command) };
  }
  if (stdio === 'command-or-path' && command?.kind === 'object') {
    return readPair(text, { path: commandPath, node: command }, 'path');
  }
  return readPair(text, body, commandKey({ stdio }));
}

function commandKey({ stdio }: Pick<EntryShape, 'stdio'>): string {
  return stdio === 'cmd' ? 'cmd' : 'command';
}

function obstacleIn(nodes: readonly (JsonNode | undefined)[]): string | undefined {
  return nodes.find((node) => node?.obstacle !== undefined)?.obstacle;
}

function readPair(text: string, { path, node }: Found, key: string): Partial<Reading> | string {
  const command = memberOf(node, key);
  if (command?.kind !== 'string') return `${JSON.stringify(key)} is not a string`;
  if (command.value === '') return `${JSON.stringify(key)} is empty`;
  const list = memberOf(node, 'args');
  const args = list === undefined ? [] : stringsOf(list);
  if (args === undefined) return '"args" is not a list of strings';
  return {
    command: command.value,
    args,
    commandPath: [...path, key],
    argsPath: [...path, 'args'],
    rawCommand: rawText(text, command),
    rawArgs: list === undefined ? undefined : rawText(text, list),
  };
}

function isDisabled(node: JsonNode, { disabled }: EntryShape): boolean {
  if (disabled === undefined) return false;
  const flag = memberOf(node, disabled.key);
  return flag?.kind === 'boolean' && flag.value === String(disabled.when);
}

function setKeys({ members }: JsonNode): readonly string[] {
  return members
    .filter(({ node: { kind, value } }) => kind !== 'null' && !(kind === 'boolean' && value === 'false'))
    .map(({ key }) => key);
}

/** The environment, from wherever clients read it: beside the command, above it or in it. Some make a string of what is none. */
function readEnv(
  text: string,
  nodes: readonly (JsonNode | undefined)[],
  key: string,
): Readonly<Record<string, string>> | undefined {
  const tables = nodes.flatMap((node) => (node?.kind === 'object' ? (memberOf(node, key) ?? []) : []));
  const members = tables.flatMap(({ kind, members: inside }) => (kind === 'object' ? inside : []));
  const set = members.filter(({ node }) => node.kind !== 'null');
  if (tables.every(({ kind }) => kind !== 'object')) return undefined;
  return Object.fromEntries(set.map(({ key: name, node }) => [name, node.kind === 'string' ? node.value : rawText(text, node)]));
}

/** The strings of an object, and whether they are all that it has. `Object.fromEntries` makes own properties, also of `__proto__`. */
function readStrings(
  node: JsonNode | undefined,
): { readonly strings: Readonly<Record<string, string>>; readonly isWhole: boolean } | undefined {
  if (node?.kind !== 'object') return undefined;
  const strings = node.members.filter((member) => member.node.kind === 'string');
  return {
    strings: Object.fromEntries(strings.map(({ key, node: { value } }) => [key, value])),
    isWhole: strings.length === node.members.length,
  };
}

function memberOf(node: JsonNode, key: string): JsonNode | undefined {
  return node.members.find((member) => member.key === key)?.node;
}

function stringAt(node: JsonNode, key: string): string | undefined {
  const value = memberOf(node, key);
  return value?.kind === 'string' ? value.value : undefined;
}

function stringsOf(node: JsonNode | undefined): readonly string[] | undefined {
  if (node?.kind !== 'array' || node.items.some(({ kind }) => kind !== 'string')) return undefined;
  return node.items.map(({ value }) => value);
}

function rawText(text: string, { start, end }: JsonNode): string {
  return text.slice(start, end);
}

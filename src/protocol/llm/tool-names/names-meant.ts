import { CLIENT_STYLES } from './client-styles.ts';
import { type AboutName, MOST_NAME } from './read-tool-name.ts';

/** The name of a tool, and its group. */
export interface NameMeant {
  readonly name: string;
  readonly group: string | undefined;
}

/**
 * Returns the names of tools that a client may run for a model's name: that one, and if the request offers no such tool, similar ones.
 * Clients repair model output: some ignore case (opencode), some know former names (Claude Code, Gemini CLI), many strip what models put
 * around a name (`default_api:bash`, `functions.bash`, `bash<|channel|>json`). For a toolset that is not offered, they may run their own
 * tool of that name. Some name groups that count for nothing (`functions`).
 */
export function namesMeant(name: string, about: Omit<AboutName, 'servers'>): readonly NameMeant[] {
  const { requestTools, group } = about;
  if (name.length > MOST_NAME) return [{ name, group }];
  const styles = about.client === undefined ? CLIENT_STYLES : [about.client];
  const isPlain = group !== undefined && styles.some(({ plainGroups }) => plainGroups?.has(group) === true);
  const isOffered = group !== undefined && requestTools.values().some((tool) => tool.group === group);
  if (isOffered && !isPlain) return [{ name, group }];
  const own = ownNames(name, about).map((each) => ({ name: each, group: undefined }));
  return group === undefined || (isPlain && about.client !== undefined) ? own : [{ name, group }, ...own];
}

function ownNames(name: string, { client, requestTools }: Omit<AboutName, 'servers' | 'group'>): readonly string[] {
  if (requestTools.has(name)) return [name];
  const styles = client === undefined ? CLIENT_STYLES : [client];
  const groups = styles.flatMap(({ synonyms = [] }) => synonyms.filter((names) => names.has(name)));
  const synonyms = groups.flatMap((names) => [...names]);
  // A known client may load a tool that its requests don't offer; for others, only offered tools show which names they know.
  const known = client === undefined ? synonyms.filter((other) => requestTools.has(other)) : synonyms;
  const plain = toPlainNames(name);
  const isUnlisted = requestTools.size === 0 && client?.native.has(name) !== true;
  return [
    ...new Set([
      name,
      ...known,
      ...(isUnlisted ? unlistedNames(name, plain) : []),
      ...[...requestTools.keys()].filter((offered) => plain.has(toPlainName(offered))),
    ]),
  ];
}

/**
 * Returns the possible names if a request lists no tools, as with Gemini's cached content, or in a batch: each part of the name, also in
 * lower case, and similar tools of known clients.
 */
function unlistedNames(name: string, plain: ReadonlySet<string>): readonly string[] {
  const words = name.split(AROUND).filter((word) => word !== '');
  natives ??= Map.groupBy(new Set(CLIENT_STYLES.flatMap(({ native }) => [...native])), toPlainName);
  return [
    ...words,
    ...[name, ...words].map((word) => word.toLowerCase()),
    ...[...plain].flatMap((each) => natives?.get(each) ?? []),
  ];
}

/** Tools of all known clients, by their plain names. */
let natives: ReadonlyMap<string, readonly string[]> | undefined;

/** Matches characters that no model's tool name contains, so that they may stand around one. */
const AROUND = /[^\p{L}\p{N}_-]+/u;

/** Returns the plain name, and each part of it that may remain after stripping on both sides (`functions.bash:0`). */
function toPlainNames(name: string): ReadonlySet<string> {
  const words = name.normalize('NFKC').split(AROUND).map(toPlainName);
  const names = words.flatMap((_word, from) =>
    words.slice(from).map((_last, count) => words.slice(from, from + count + 1).join('')),
  );
  return new Set(names.filter((each) => each !== ''));
}

/** Returns the letters and digits of a name, in lower case. */
function toPlainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

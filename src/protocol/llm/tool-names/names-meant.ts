import { CLIENT_STYLES } from './client-styles.ts';
import { type AboutName, MOST_NAME } from './read-tool-name.ts';

/** A name of a tool, and what it is part of. */
export interface NameMeant {
  readonly name: string;
  readonly group: string | undefined;
}

/**
 * The names of tools that a client may run where the model says a name: that one, and where the request offers no tool of that name, those that it
 * may be taken for. Clients repair what their model says: some look for a name in other letters (opencode), some know what a tool was called
 * before (Claude Code, Gemini CLI), many take off what models put around a name (`default_api:bash`, `functions.bash`, `bash<|channel|>json`).
 * Of a toolset that is not offered, they may run their own tool of that name.
 */
export function namesMeant(name: string, about: Omit<AboutName, 'servers'>): readonly NameMeant[] {
  const { requestTools, group } = about;
  if (name.length > MOST_NAME) return [{ name, group }];
  if (group !== undefined && requestTools.values().some((tool) => tool.group === group)) return [{ name, group }];
  const own = ownNames(name, about).map((each) => ({ name: each, group: undefined }));
  return group === undefined ? own : [{ name, group }, ...own];
}

function ownNames(name: string, { client, requestTools }: Omit<AboutName, 'servers' | 'group'>): readonly string[] {
  if (requestTools.has(name)) return [name];
  const styles = client === undefined ? CLIENT_STYLES : [client];
  const groups = styles.flatMap(({ synonyms = [] }) => synonyms.filter((names) => names.has(name)));
  const synonyms = groups.flatMap((names) => [...names]);
  // A known client may load a tool that its requests don't offer; of another one only what it offers tells which names it knows.
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
 * What a name may be where a request lists no tools, as with those that Gemini has cached, or of a batch, so that nobody knows what is offered: each
 * part of it, in small letters as well, and the tools of known clients that are called alike.
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

/** What no name of a tool at a model is made of, so that it may stand around one. */
const AROUND = /[^\p{L}\p{N}_-]+/u;

/** A name, and each part of it that what stands around a name may leave, on both sides (`functions.bash:0`). */
function toPlainNames(name: string): ReadonlySet<string> {
  const words = name.normalize('NFKC').split(AROUND).map(toPlainName);
  const names = words.flatMap((_word, from) =>
    words.slice(from).map((_last, count) => words.slice(from, from + count + 1).join('')),
  );
  return new Set(names.filter((each) => each !== ''));
}

/** The letters and digits of a name, in one case. */
function toPlainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

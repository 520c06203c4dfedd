import { CLIENT_STYLES } from './client-styles.ts';
import { type AboutName, MOST_NAME } from './read-tool-name.ts';

/**
 * The names of tools that a client may run where the model says a name: that one, and where the request offers no tool of that name, those that it
 * may be taken for. Clients repair what their model says: some look for a name in other letters (opencode), some know what a tool was called
 * before (Claude Code, Gemini CLI), many take off what models put around a name (`default_api:bash`, `functions.bash`, `bash<|channel|>json`).
 */
export function namesMeant(name: string, { client, requestTools, group }: Omit<AboutName, 'servers'>): readonly string[] {
  if (group !== undefined || name.length > MOST_NAME || requestTools.has(name)) return [name];
  const styles = client === undefined ? CLIENT_STYLES : [client];
  const groups = styles.flatMap(({ synonyms = [] }) => synonyms.filter((names) => names.has(name)));
  const synonyms = groups.flatMap((names) => [...names]);
  // A known client may load a tool that its requests don't offer; of another one only what it offers tells which names it knows.
  const known = client === undefined ? synonyms.filter((other) => requestTools.has(other)) : synonyms;
  // Where a request lists none, as with those that Gemini has cached, or of a batch, nobody knows what is offered.
  const words = requestTools.size === 0 ? name.split(AROUND) : [];
  const plain = toPlainNames(name);
  return [
    ...new Set([
      name,
      ...known,
      ...words.filter((word) => word !== ''),
      ...[...requestTools.keys()].filter((offered) => plain.has(toPlainName(offered))),
    ]),
  ];
}

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

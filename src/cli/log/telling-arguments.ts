/** Names of arguments that say most about a call, the most telling first. */
const TELLING = ['path', 'file_path', 'uri', 'url', 'command', 'cmd', 'query', 'sql', 'to', 'name'];

/** Arguments that are shown of a call in a line, and characters of each. */
const MOST_SHOWN = 3;
const LONGEST = 60;

/**
 * The arguments that say most about a call, in one line: `path="/etc/hosts", head=10`. They are as recorded, so secrets are marks.
 *
 * @param input the arguments of a recorded call, whatever an edit has made of them
 */
export function tellingArguments(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const all = Object.entries(input);
  const rank = (name: string): number => (TELLING.includes(name) ? TELLING.indexOf(name) : TELLING.length);
  const shown = all.toSorted(([a], [b]) => rank(a) - rank(b)).slice(0, MOST_SHOWN);
  const texts = shown.map(([name, value]) => `${shorten(name)}=${shorten(JSON.stringify(value))}`);
  return `${texts.join(', ')}${all.length > shown.length ? ', …' : ''}`;
}

/** The end tells files apart, and the beginning what they are. */
function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST / 2)}…${text.slice(-LONGEST / 2)}`.toWellFormed();
}

/** Quotes inside quotes are followed so far: `sh -c "bash -c 'clawai unwrap'"`. */
const MOST_SHELLS = 3;

/** Command lines that are longer are scripts; those lines are read too, but not what quotes hide in them. */
const LONGEST_LINE = 65_536;

/** What ends one command and begins the next, as a word of its own. */
export const NEXT_COMMAND = ';';

/**
 * The words of a text that is a command line, or a program that has some in it: once as a shell reads them, which takes quotes and
 * backslashes away (`cla''wai`), then each quoted text on its own, then the text cut at everything that is no part of a name
 * (`run(["clawai", "unwrap"])`). Linear in the text.
 */
export function readCommand(text: string): readonly (readonly string[])[] {
  const readings: string[][] = [];
  if (text.length <= LONGEST_LINE) addShells(text, MOST_SHELLS, readings);
  readings.push(looseWords(text));
  return readings;
}

function addShells(text: string, left: number, readings: string[][]): void {
  const words = shellWords(text);
  readings.push(words);
  if (left === 0) return;
  for (const word of words) if (word.length < text.length && /\s/.test(word)) addShells(word, left - 1, readings);
}

const LOOSE = /[\s"'`;|&()<>{}[\],=]+/;

function looseWords(text: string): string[] {
  return text.split(LOOSE).flatMap((word) => {
    const bare = word.replace(/^\\+(?=[\w~.$/])|\\+$/g, '');
    return bare === '' ? [] : [bare];
  });
}

/** The words as a POSIX shell has them. Variables and patterns stay as they are. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  /** Files that output goes to or input comes from; they may stand between a program and its arguments. */
  const redirected: string[] = [];
  let isRedirected = false;
  let word = '';
  let isWord = false;
  let quote = '';
  const end = (): void => {
    if (isWord) (isRedirected ? redirected : words).push(word);
    if (isWord) isRedirected = false;
    word = '';
    isWord = false;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\' && quote !== "'") {
      at++;
      // A line that goes on.
      if (text[at] === '\n') continue;
      word += (text[at] === undefined || (quote === '"' && !/["\\$`]/.test(text[at] ?? '')) ? '\\' : '') + (text[at] ?? '');
      isWord = true;
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      // `$'…'` and `$"…"` are quotes too.
      if (word.endsWith('$')) word = word.slice(0, -1);
      quote = character;
      isWord = true;
    } else if (' \t\r'.includes(character)) end();
    else if (character === '<' || character === '>') {
      // `2>` is no word of the command.
      if (/^\d+$/.test(word)) isWord = false;
      end();
      isRedirected = true;
      if (text[at + 1] === '&') at++;
    } else if ('\n;|&()`'.includes(character)) {
      end();
      isRedirected = false;
      words.push(NEXT_COMMAND);
    } else {
      word += character;
      isWord = true;
    }
  }
  end();
  return redirected.length === 0 ? words : [...words, NEXT_COMMAND, ...redirected];
}

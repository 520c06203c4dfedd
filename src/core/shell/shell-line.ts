/** A word of a shell line, without its quotes. */
export interface ShellWord {
  readonly text: string;
  /** Its position in the line. */
  readonly start: number;
  readonly end: number;
  /** True if some of it was quoted. */
  readonly isQuoted: boolean;
}

/** The words between two separators of commands; may be empty. */
export interface ShellCommand {
  /** The separator before it: empty for the first one, `&&` and `||` for their second character, otherwise one character. */
  readonly after: string;
  readonly words: readonly ShellWord[];
  /** Files for output or input; they may stand between a program and its arguments. */
  readonly redirected: readonly ShellWord[];
}

const MARKS = '\n;|&()`';

/** Parses the commands of a line as a POSIX shell does. Variables and patterns stay as they are. Linear in the text. */
export function readShellLine(text: string): readonly ShellCommand[] {
  const commands: { after: string; words: ShellWord[]; redirected: ShellWord[] }[] = [];
  let command = { after: '', words: [] as ShellWord[], redirected: [] as ShellWord[] };
  let isRedirected = false;
  let word = '';
  let start = -1;
  let isQuoted = false;
  let quote = '';
  const end = (at: number): void => {
    if (start !== -1) (isRedirected ? command.redirected : command.words).push({ text: word, start, end: at, isQuoted });
    if (start !== -1) isRedirected = false;
    word = '';
    start = -1;
    isQuoted = false;
  };
  const begin = (at: number): void => {
    if (start === -1) start = at;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\' && quote !== "'") {
      at++;
      // A continued line.
      if (text[at] === '\n') continue;
      begin(at - 1);
      word += (text[at] === undefined || (quote === '"' && !/["\\$`]/.test(text[at] ?? '')) ? '\\' : '') + (text[at] ?? '');
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      // `$'…'` and `$"…"` are quotes too.
      if (word.endsWith('$')) word = word.slice(0, -1);
      begin(at);
      quote = character;
      isQuoted = true;
    } else if (' \t\r'.includes(character)) end(at);
    else if (character === '<' || character === '>') {
      // `2>` is no word of the command.
      if (/^\d+$/.test(word)) start = -1;
      end(at);
      isRedirected = true;
      if (text[at + 1] === '&') at++;
    } else if (MARKS.includes(character)) {
      end(at);
      isRedirected = false;
      const isSecond = /[|&]/.test(character) && text[at - 1] === character && command.words.length === 0;
      commands.push(command);
      command = { after: isSecond ? character + character : character, words: [], redirected: [] };
    } else {
      begin(at);
      word += character;
    }
  }
  end(text.length);
  return [...commands, command];
}

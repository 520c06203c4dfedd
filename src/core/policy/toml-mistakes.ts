import type { PolicySyntaxError } from './types.ts';

/** Matches texts and comments, in which brackets mean nothing, brackets, and line ends. */
const TOKENS = /"""(?:\\[\s\S]|[^\\])*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n/g;
const HEADER_LINE = /^[ \t]*\[\[?[^[\],]*\]\]?[ \t]*(?:#.*)?$/;
const SETTING_LINE = /^[ \t]*(?:[\w-]+|"[^"]*"|'[^']*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"]*"|'[^']*'))*[ \t]*=/;
const HEADER_PARTS = /^([ \t]*)(\[+)([^\]#]*)(\]*)[ \t]*(.*)$/;
const QUOTES = /^["'“”‘’`]+|["'“”‘’`]+$/g;
const KEY_CHARACTERS = 'a key needs quotes if it has more than letters, digits, "-" and "_"';
const LONGEST_EXAMPLE = 60;

/** A mistake at an offset into the text, which may lie before the place where the parser gave up. */
interface Mistake {
  readonly message: string;
  readonly hint?: string;
  readonly at?: number;
}

/** A text, the offset where the parser gave up, the line around it, and the innermost bracket that is open there. */
interface Scene {
  readonly text: string;
  readonly at: number;
  readonly line: string;
  readonly lineStart: number;
  readonly open: OpenBracket | undefined;
}

interface OpenBracket {
  readonly at: number;
  readonly isList: boolean;
}

/**
 * Says in a policy author's words why a text is not TOML: what is wrong, where it begins, and what to write. A message that this does not
 * know stays as the parser gave it.
 *
 * @param error what the parser says, with a 1-based place
 */
export function explainTomlError(text: string, error: PolicySyntaxError): PolicySyntaxError {
  const lines = text.split('\n');
  const lineStart = lines.slice(0, error.line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  const at = lineStart + error.column - 1;
  const line = (lines[error.line - 1] ?? '').replace(/\r$/, '');
  const unclosed = findUnclosed({ text, at, line, lineStart }, error.message);
  const mistake = unclosed ?? explain(error.message, { text, at, line, lineStart, open: openBracket(text, at) });
  if (mistake === undefined) return error;
  const { message, hint, at: start = at } = mistake;
  const before = text.slice(0, start).split('\n');
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, ...(hint === undefined ? {} : { hint }) };
}

/** A list or an inline table that is not closed where the next key or header begins, another bracket closes, or the text ends. */
function findUnclosed({ text, at, line, lineStart }: Omit<Scene, 'open'>, message: string): Mistake | undefined {
  if (message === 'unfinished array' || message === 'unfinished table')
    return toUnclosed({ at, isList: message === 'unfinished array' });
  const around = openBracket(text, lineStart);
  if (around !== undefined) {
    const isNext = HEADER_LINE.test(line) || (SETTING_LINE.test(line) && (around.isList || !isClosedLater(text, at)));
    if (isNext) return toUnclosed(around);
  }
  const inner = openBracket(text, at);
  const next = text[at];
  if (inner === undefined || (text.slice(at).trim() !== '' && next !== (inner.isList ? '}' : ']'))) return undefined;
  return toUnclosed(inner);
}

function toUnclosed({ at, isList }: OpenBracket): Mistake {
  const [what, end] = isList ? ['list', ']'] : ['inline table', '}'];
  return { message: `the ${what} that begins here is not closed`, hint: `write ${end} at its end`, at };
}

function openBracket(text: string, end: number): OpenBracket | undefined {
  const stack: OpenBracket[] = [];
  let isHeader = false;
  for (const { 0: token, index } of text.slice(0, end).matchAll(TOKENS)) {
    if (token === '\n') isHeader = false;
    else if (token === '[' && stack.length === 0 && text.slice(text.lastIndexOf('\n', index - 1) + 1, index).trim() === '')
      isHeader = true;
    else if (isHeader) continue;
    else if (token === '[' || token === '{') stack.push({ at: index, isList: token === '[' });
    else if (token === ']' || token === '}') stack.pop();
  }
  return stack.at(-1);
}

function isClosedLater(text: string, start: number): boolean {
  const header = text.slice(start).search(/^[ \t]*\[\[?[\w."' -]+\]/m);
  let depth = 0;
  for (const [token] of text.slice(start, header === -1 ? undefined : start + header).matchAll(TOKENS)) {
    if (token === '[' || token === '{') depth += 1;
    else if ((token === ']' || token === '}') && depth-- === 0) return true;
  }
  return false;
}

function explain(message: string, scene: Scene): Mistake | undefined {
  const { text, at, line, open } = scene;
  if (open === undefined && line.trimStart().startsWith('[')) return explainHeader(scene);
  switch (message) {
    case 'expected comma or end of structure':
      return { message: 'a comma is missing before this', hint: 'write a comma between the parts of a list or an inline table' };
    case 'illegal character in key':
    case 'incomplete key-value: cannot find end of key':
    case 'unexpected end of key':
      return explainKey(scene);
    case 'invalid value':
    case 'illegal character in numeric literal':
      return explainValue(scene);
    case 'each key-value declaration must be followed by an end-of-line':
      return explainLineEnd(scene);
    case 'unrecognised escape sequence':
    case 'invalid non-hex character in unicode escape':
    case 'invalid unicode escape':
      return {
        message: 'in double quotes, a backslash has a meaning of its own',
        hint: "write the text in single quotes, as '\\d+', or each backslash twice",
      };
    case 'control characters are not allowed in strings':
      if (text[at] === '\n' || text[at] === '\r') {
        return { message: 'the closing quote of the text is missing', hint: 'write it at the end of the text' };
      }
      return { message: 'a text cannot have a control character', hint: 'write it as an escape, such as "\\u0007"' };
    case 'unfinished string':
      return {
        message: 'the text that begins here is not closed',
        hint: `write ${/^(["'])\1{0,2}/.exec(text.slice(at))?.[0] ?? '"'} at its end`,
      };
    case 'trying to redefine an already defined table or value':
    case 'trying to redefine an already defined value':
      return { message: 'this key or table is defined a second time here', hint: 'write it once' };
    default:
      return undefined;
  }
}

function explainHeader({ line, lineStart }: Scene): Mistake | undefined {
  const [, indent = '', opening = '', name = '', closing = '', rest = ''] = HEADER_PARTS.exec(line) ?? [];
  const table = name.trim();
  const count = table === 'rule' ? 2 : Math.max(opening.length, closing.length);
  const hint = `write ${'['.repeat(count)}${/^[\w. -]*$/.test(table) ? quoteParts(table) : table}${']'.repeat(count)}`;
  const end = lineStart + indent.length + opening.length + name.trimEnd().length;
  if (closing.length < opening.length) {
    return {
      message: `the header's closing ${']'.repeat(opening.length - closing.length)} is missing`,
      hint,
      at: end + closing.length,
    };
  }
  const start = lineStart + indent.length;
  if (closing.length > opening.length) return { message: 'the header closes more brackets than it opens', hint, at: start };
  if (table === '') return { message: 'the header has no name', hint: 'write a name between its brackets', at: start };
  if (rest !== '' && !rest.startsWith('#')) {
    return { message: 'a header has a line of its own', hint: 'write what follows it on the next line' };
  }
  if (quoteParts(table) === table) {
    const once = table === 'rule' ? hint : 'write its header once';
    return { message: 'this table is defined a second time here', hint: once, at: start };
  }
  return { message: KEY_CHARACTERS, hint };
}

function explainKey({ line, lineStart, open }: Scene): Mistake {
  const at = lineStart + line.length - line.trimStart().length;
  if (open !== undefined) return { message: KEY_CHARACTERS, hint: 'write it in quotes' };
  if (/^\s*\/[/*]/.test(line)) return { message: 'a comment begins with #', hint: 'write # at its beginning', at };
  const key = /^[^="']*(?==)/.exec(line)?.[0].trim();
  if (key === '') return { message: 'there is no key before "="', hint: 'write KEY = VALUE', at };
  if (key !== undefined) return { message: KEY_CHARACTERS, hint: `write ${quoteParts(key)}`, at };
  return { message: 'a key needs "=" and a value', hint: 'write KEY = VALUE' };
}

function explainValue({ text, at, open }: Pick<Scene, 'text' | 'at' | 'open'>): Mistake {
  let start = at;
  while (start > 0 && !/[\s,=[{]/.test(text[start - 1] ?? '')) start -= 1;
  const end = open === undefined ? /\s#|\n/ : open.isList ? /[,\]#\n]/ : /[,}#\n]/;
  const written = (text.slice(start).split(end, 1)[0] ?? '').trim();
  if (written === '' || written.startsWith('#')) return { message: 'a value is missing here', hint: 'write one', at: start };
  if (/^(?:true|false)$/i.test(written)) {
    return { message: 'true and false are written in lower case', hint: `write ${written.toLowerCase()}`, at: start };
  }
  const quotes = /^[“”‘’`]/.test(written) ? 'straight quotes' : 'quotes';
  return {
    message: `a text needs ${quotes}`,
    hint: `write ${quote(written.slice(0, LONGEST_EXAMPLE + 1).replaceAll(QUOTES, ''))}`,
    at: start,
  };
}

function explainLineEnd(scene: Scene): Mistake {
  const { text, at } = scene;
  const next = text[at] ?? '';
  if (next === ',') return { message: 'a key takes one value', hint: 'write several as a list, such as ["a", "b"]' };
  if (next === ']' || next === '}') return { message: `this ${next} closes nothing`, hint: 'remove it' };
  // A text without quotes may begin as true, false, inf or nan do.
  if (/\w/.test(next) && /\w/.test(text[at - 1] ?? '')) return explainValue(scene);
  return {
    message: 'something follows the value on its line',
    hint: 'write each key on a line of its own, and # before a comment',
  };
}

/** Writes a text in quotes: in single ones if it has what means something in double ones. A long one is left out. */
function quote(text: string): string {
  if (text.length > LONGEST_EXAMPLE) return '"…"';
  return /["\\]/.test(text) && !text.includes("'") ? `'${text}'` : JSON.stringify(text);
}

function quoteParts(key: string): string {
  return key
    .split('.')
    .map((part) => (/^[\w-]+$/.test(part.trim()) ? part.trim() : quote(part.trim())))
    .join('.');
}

/** A piece of a program in JavaScript. A template is its texts, with the tokens of what stands between them. */
export type CodeToken =
  | { readonly kind: 'name' | 'text' | 'number' | 'sign'; readonly value: string }
  | { readonly kind: 'template'; readonly parts: readonly (string | readonly CodeToken[])[] };

/** Most tokens of a program that are read. */
const MOST_TOKENS = 20_000;
const MOST_DEPTH = 16;

const SPACE = /\s+|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\d[\w.]*/y;
const TEXT = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const REGEX = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const SIGN = /=>|\?\.(?!\d)|\.\.\.|\+=|\+\+|[=!]==?|[\s\S]/y;

/** Words behind which a slash begins a regular expression, as behind most signs. */
const BEFORE_REGEX = /^(?:return|typeof|case|in|of|void|await|yield|else|do)$/;

interface Scan {
  readonly code: string;
  at: number;
  count: number;
}

/** Splits a program in JavaScript, as far as it is one; undefined if it is too large to be read. */
export function readCodeTokens(code: string): readonly CodeToken[] | undefined {
  const scan: Scan = { code, at: 0, count: 0 };
  const tokens = readUntil(scan, undefined, 0);
  return scan.at < code.length ? undefined : tokens;
}

/** Reads up to this closing bracket of a template, or the end. */
function readUntil(scan: Scan, closing: '}' | undefined, depth: number): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  let open = 0;
  if (depth > MOST_DEPTH) return tokens;
  while (scan.at < scan.code.length && scan.count < MOST_TOKENS) {
    if (take(scan, SPACE) !== undefined) continue;
    if (closing !== undefined && open === 0 && scan.code[scan.at] === closing) return tokens;
    scan.count++;
    const token = readToken(scan, tokens.at(-1), depth);
    if (token.kind === 'sign') open += token.value === '{' ? 1 : token.value === '}' ? -1 : 0;
    tokens.push(token);
  }
  return tokens;
}

function readToken(scan: Scan, before: CodeToken | undefined, depth: number): CodeToken {
  const text = take(scan, TEXT);
  if (text !== undefined) return { kind: 'text', value: unescape(text.slice(1, -1)) };
  const name = take(scan, NAME);
  if (name !== undefined) return { kind: 'name', value: name };
  const number = take(scan, NUMBER);
  if (number !== undefined) return { kind: 'number', value: number };
  if (scan.code[scan.at] === '`') return readTemplate(scan, depth);
  const regex = mayBeRegex(before) ? take(scan, REGEX) : undefined;
  return { kind: 'sign', value: regex === undefined ? (take(scan, SIGN) ?? '') : '/' };
}

function readTemplate(scan: Scan, depth: number): CodeToken {
  const parts: (string | readonly CodeToken[])[] = [];
  scan.at++;
  let start = scan.at;
  while (scan.at < scan.code.length && scan.code[scan.at] !== '`') {
    if (scan.code[scan.at] === '\\') scan.at += 2;
    else if (scan.code.startsWith('${', scan.at)) {
      parts.push(unescape(scan.code.slice(start, scan.at)));
      scan.at += 2;
      parts.push(readUntil(scan, '}', depth + 1));
      scan.at++;
      start = scan.at;
    } else scan.at++;
  }
  parts.push(unescape(scan.code.slice(start, scan.at)));
  scan.at++;
  return { kind: 'template', parts };
}

function mayBeRegex(before: CodeToken | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === 'sign') return !/^[)\]}]$/.test(before.value);
  return before.kind === 'name' && BEFORE_REGEX.test(before.value);
}

function take(scan: Scan, form: RegExp): string | undefined {
  form.lastIndex = scan.at;
  const found = form.exec(scan.code)?.[0];
  if (found !== undefined) scan.at += found.length;
  return found;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' };

function unescape(text: string): string {
  return text.replaceAll(
    /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|(\r\n|[\s\S]))/gi,
    (_all, point?: string, unit?: string, byte?: string, plain = '') => {
      const hex = point ?? unit ?? byte;
      const code = Number.parseInt(hex ?? '', 16);
      if (hex !== undefined) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
      return /^[\r\n\u2028\u2029]/.test(plain) ? '' : (ESCAPED[plain] ?? plain);
    },
  );
}

/** Matches the beginning of a here-document: `<<EOF`, `<<-'EOF'`. */
const BEGINNING = /<<-?[^\S\n]*(?:(['"])(\w+)\1|\\?(\w+))/g;

/** Programs that run what they read. */
const READERS =
  /(?:^|[\s;|&(/])(?:(?:ba|z|da|k|fi|c|a)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|osascript|sqlite3|psql|mysql|ssh|sudo|su|eval|xargs|source|vim?|ex|ed|docker|kubectl)(?=[\s|;&)]|$)/;

const RUNS_COMMANDS = /\$\(|`/;

/** Most here-documents of one line; what comes later stays. */
const MOST = 64;

/**
 * A shell line without the here-documents that are only text, as those that `cat` writes into a file or that become a commit's message. What
 * a program runs stays, and so does what the shell itself expands in it. Linear in the text.
 */
export function withoutTextDocuments(text: string): string {
  if (!text.includes('<<')) return text;
  let result = '';
  let from = 0;
  let found = 0;
  for (const match of text.matchAll(BEGINNING)) {
    if (match.index < from || text[match.index - 1] === '<' || text[match.index + 2] === '<') continue;
    if (++found > MOST) break;
    const lineEnd = text.indexOf('\n', match.index);
    if (lineEnd === -1) break;
    const mark = match[2] ?? match[3] ?? '';
    const end = new RegExp(String.raw`^\t*${mark}(?=[\s)"';|&]|$)`, 'm');
    const at = text.slice(lineEnd + 1).search(end);
    const bodyEnd = at === -1 ? text.length : lineEnd + 1 + at;
    const line = text.slice(text.lastIndexOf('\n', match.index) + 1, lineEnd);
    const isExpanded = match[1] === undefined && !match[0].includes('\\');
    const body = text.slice(lineEnd + 1, bodyEnd);
    if (READERS.test(line) || (isExpanded && RUNS_COMMANDS.test(body))) continue;
    result += text.slice(from, match.index) + text.slice(match.index + match[0].length, lineEnd + 1);
    from = bodyEnd;
  }
  return result + text.slice(from);
}

/** Matches what a `$'…'` may contain besides plain characters. */
const ESCAPE = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3})|(.))/gis;
const ANSI_QUOTED = /\$'((?:[^'\\]|\\.)*)'/gs;

/** A shell line in which `$'\x2e'` is `'.'`. */
export function withoutEscapes(text: string): string {
  if (!text.includes("$'")) return text;
  return text.replaceAll(ANSI_QUOTED, (_all, inside: string) => {
    const plain = inside.replaceAll(ESCAPE, (_escape, ...groups: readonly unknown[]) => {
      const [hex, short, long, octal, other] = groups.slice(0, 5).map((each) => (typeof each === 'string' ? each : undefined));
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCode(Number.parseInt(code, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8));
      return other === 't' || other === 'n' || other === 'r' ? ' ' : (other ?? '');
    });
    return `'${plain.replaceAll("'", ' ')}'`;
  });
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

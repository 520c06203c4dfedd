import type { FormatName, JsonSyntax, Syntax } from './client.ts';
import { editTree, JSON_WRITER, type JsonEdit, type JsonEditResult, parentsOf } from './edit-json.ts';
import type { TextFormat } from './formats/format.ts';
import { jsonTokens } from './jsonc.ts';
import { type JsonNode, type JsonPattern, type JsonScan, scanJson } from './scan-json.ts';

const loaded = new Map<FormatName, TextFormat>();

/** Loads the parsers of these syntaxes. They cost a start more than most of what we load, and most people need none of them. */
export async function loadFormats(syntaxes: Iterable<Syntax>): Promise<void> {
  const names = new Set(Iterator.from(syntaxes).filter((syntax) => typeof syntax === 'string'));
  const missing = [...names].filter((name) => !loaded.has(name));
  const formats = await Promise.all(missing.map((name) => LOADERS[name]()));
  for (const [i, name] of missing.entries()) {
    const format = formats[i];
    if (format !== undefined) loaded.set(name, format);
  }
}

const LOADERS: Readonly<Record<FormatName, () => Promise<TextFormat>>> = {
  json5: async () => (await import('./formats/json5.ts')).JSON5,
  toml: async () => (await import('./formats/toml.ts')).TOML,
  yaml: async () => (await import('./formats/yaml.ts')).YAML,
};

function formatOf(name: FormatName): TextFormat {
  const format = loaded.get(name);
  if (format === undefined) throw new Error(`the parser of ${name} was not loaded`);
  return format;
}

export function isJson(syntax: Syntax): syntax is JsonSyntax {
  return typeof syntax !== 'string';
}

/** Like `scanJson`, in any syntax. `patterns` save memory where they can, so there may be more in the result. */
export function scanText(text: string, syntax: Syntax, patterns: readonly JsonPattern[]): JsonScan {
  return isJson(syntax) && text.length > MOST_KEPT ? scanJson(text, syntax, patterns) : scanOnce(text, syntax);
}

/** Like `editJson`, in any syntax. */
export function editText(text: string, syntax: Syntax, edits: readonly JsonEdit[]): JsonEditResult {
  const writer = isJson(syntax) ? JSON_WRITER : formatOf(syntax).writer;
  return editTree(text, { scan: scanText(text, syntax, parentsOf(edits)), writer }, edits);
}

/** Scans of the last texts: each is read, edited, proved and shown. */
const scans = new Map<string, JsonScan>();
let kept = 0;
/** The characters of all texts whose scans are kept, unless a single one has more. */
const MOST_IN_ALL = 1_048_576;
/** The longest JSON, in characters, that is kept whole: all that it holds takes much more memory. */
const MOST_KEPT = 65_536;

function scanOnce(text: string, syntax: Syntax): JsonScan {
  const key = `${isJson(syntax) ? JSON.stringify(syntax) : syntax} ${text}`;
  const known = scans.get(key);
  if (known !== undefined) return known;
  const scan = isJson(syntax) ? scanJson(text, syntax, [[]]) : formatOf(syntax).scan(text);
  if (kept + text.length > MOST_IN_ALL) {
    scans.clear();
    kept = 0;
  }
  kept += text.length;
  scans.set(key, scan);
  return scan;
}

/**
 * The value of a text that can be scanned, read by another parser than what scans it where there is one: to prove an edit. It is a new one each
 * time; undefined if the other parser refuses the text.
 */
export function readValue(text: string, syntax: Syntax): unknown {
  if (isJson(syntax)) return JSON.parse(toStrictJson(text.replace(/^\uFEFF/, '')));
  const { parseAgain } = formatOf(syntax);
  if (parseAgain !== undefined) return parseAgain(text);
  const scan = scanOnce(text, syntax);
  return scan.ok && scan.root !== undefined ? toValue(scan.root) : undefined;
}

/** A number stays as it is written. */
function toValue({ kind, value, items, members }: JsonNode): unknown {
  if (kind === 'array') return items.map(toValue);
  if (kind === 'object') return Object.fromEntries(members.map(({ key, node }) => [key, toValue(node)]));
  return kind === 'null' ? null : kind === 'string' ? value : [kind, value];
}

/** Leaves out comments and trailing commas. Whether they are allowed was settled by whoever edited the text. */
function toStrictJson(text: string): string {
  const parts: string[] = [];
  let comma = '';
  for (const { kind, start, end } of jsonTokens(text)) {
    if (kind === 'comment') continue;
    if (kind !== '}' && kind !== ']') parts.push(comma);
    comma = kind === ',' ? ',' : '';
    if (kind !== ',') parts.push(text.slice(start, end));
  }
  return parts.join('');
}

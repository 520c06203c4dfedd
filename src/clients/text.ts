import type { FormatName, JsonSyntax, Syntax } from './client.ts';
import { editJson, editTree, type JsonEdit, type JsonEditResult } from './edit-json.ts';
import type { TextFormat } from './formats/format.ts';
import { jsonTokens } from './jsonc.ts';
import { type JsonPattern, type JsonScan, scanJson } from './scan-json.ts';

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
  return isJson(syntax) ? scanJson(text, syntax, patterns) : formatOf(syntax).scan(text);
}

/** Like `editJson`, in any syntax. */
export function editText(text: string, syntax: Syntax, edits: readonly JsonEdit[]): JsonEditResult {
  if (isJson(syntax)) return editJson(text, syntax, edits);
  const { scan, writer } = formatOf(syntax);
  return editTree(text, { scan: scan(text), writer }, edits);
}

/** The values of a text that can be scanned, read by other code than what scans it where there is such: to prove an edit. */
export function readValues(text: string, syntax: Syntax): readonly unknown[] {
  if (!isJson(syntax)) return formatOf(syntax).values(text);
  return [JSON.parse(toStrictJson(text.replace(/^\uFEFF/, '')))];
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

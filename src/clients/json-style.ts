import type { JsonMember, JsonNode } from './scan-json.ts';

/** A value that is written into configs: a command, an argument list, a URL. */
export type NewValue = string | readonly string[];

interface Style {
  /** Line end and white space in front of a member; undefined if the object stands on one line. */
  readonly line: string | undefined;
  /** Line end and white space in front of the closing bracket. */
  readonly closing: string;
  /** The text between key and value. */
  readonly colon: string;
}

/** A new value for a member, as the file would have written it: lists one item a line if it writes such, on one line otherwise. */
export function formatValue(text: string, place: { object: JsonNode; member: JsonMember; value: NewValue }): string {
  const { object, member, value } = place;
  if (typeof value === 'string') return JSON.stringify(value);
  if (member.node.items.length === 0 || value.length === 0) return formatList(value, styleOf(text, object, member));
  const items = value.map((item) => JSON.stringify(item));
  return formatLike(text, member.node, { items, comma: isTight(text, member) ? ',' : ', ' });
}

/** A list in brackets with these items, written one item a line if the list in its place is. */
export function formatLike(
  text: string,
  { items: [first], end }: JsonNode,
  { items, comma }: { readonly items: readonly string[]; readonly comma: string },
): string {
  const line = first === undefined ? undefined : lineBefore(text, first.start);
  // Only white space comes before the closing bracket, unless there are comments or commas.
  if (line !== undefined) return `[${items.map((item) => `${line}${item}`).join(',')}${lineBefore(text, end - 1) ?? ''}]`;
  const inside = first === undefined ? '' : spaceBefore(text, first.start);
  return `[${inside}${items.join(comma)}${inside}]`;
}

/** A value for a member that was not there. */
export type NewMember = { readonly value: NewValue } | { readonly json: object } | { readonly raw: string };

/** A member that was not there: where it goes, the text that makes it, and that of its value alone. */
export function formatMember(
  text: string,
  object: JsonNode,
  { key, value, after }: { key: string; value: NewMember; after: string | undefined },
): { readonly at: number; readonly inserted: string; readonly value: string } {
  const sibling = object.members.findLast((member) => member.key === after) ?? object.members.at(-1);
  const name = JSON.stringify(key);
  if (sibling === undefined) {
    const { line = '', closing, colon } = 'json' in value ? styleInEmpty(text, object) : PLAIN;
    const written =
      'raw' in value
        ? value.raw
        : 'json' in value
          ? formatJson(value.json, { line, closing, colon })
          : formatNew(value.value, undefined);
    return { at: object.start + 1, inserted: `${line}${name}${colon}${written}${closing}`, value: written };
  }
  const style = styleOf(text, object, sibling);
  const written =
    'raw' in value
      ? value.raw
      : 'json' in value
        ? formatObject(text, { object, sibling }, value.json)
        : formatNew(value.value, style);
  const gap = style.line ?? (isTight(text, sibling) ? '' : ' ');
  return { at: sibling.node.end, inserted: `,${gap}${name}${style.colon}${written}`, value: written };
}

/** A new object beside, or in place of, a member: one member a line, or on one line if that member's object is. */
export function formatObject(text: string, place: { object: JsonNode; sibling: JsonMember }, json: object): string {
  const { object, sibling } = place;
  const style = styleOf(text, object, sibling);
  const like = text.slice(sibling.node.start, sibling.node.end);
  const [, inside = ''] = /^\{([ \t]*)/.exec(like) ?? [];
  const isOnLine = sibling.node.kind === 'object' && !like.includes('\n') && !/^\{\s*\}$/.test(like);
  return formatJson(json, isOnLine ? { ...style, line: undefined } : style, inside);
}

/** @param inside white space within the brackets of an object on one line */
function formatJson(json: object, { line = '', closing, colon }: Style, inside = ''): string {
  if (line !== '') return JSON.stringify(json, undefined, unitOf(line, closing)).replaceAll('\n', line);
  return colon === ':' ? JSON.stringify(json) : formatJsonLine(json, inside);
}

function formatJsonLine(json: unknown, inside: string): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map((item) => formatJsonLine(item, inside)).join(', ')}]`;
  const members = Object.entries(json).map(([key, value]) => `${JSON.stringify(key)}: ${formatJsonLine(value, inside)}`);
  return members.length === 0 ? '{}' : `{${inside}${members.join(', ')}${inside}}`;
}

function formatNew(value: NewValue, style: Style | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return style === undefined ? formatLine(value, { isTight: false, inside: '' }) : formatList(value, style);
}

function formatList(items: readonly string[], { line, closing, colon }: Style): string {
  if (items.length === 0) return '[]';
  if (line === undefined) return formatLine(items, { isTight: colon === ':', inside: '' });
  const unit = unitOf(line, closing);
  return `[${items.map((item) => `${line}${unit}${JSON.stringify(item)}`).join(',')}${line}]`;
}

/** The indentation of one level. */
function unitOf(line: string, closing: string): string {
  if (line.startsWith(closing) && line.length > closing.length) return line.slice(closing.length);
  return line.includes('\t') ? '\t' : '  ';
}

function formatLine(items: readonly string[], { isTight: tight, inside }: { isTight: boolean; inside: string }): string {
  return `[${inside}${items.map((item) => JSON.stringify(item)).join(tight ? ',' : ', ')}${inside}]`;
}

function styleOf(text: string, object: JsonNode, member: JsonMember): Style {
  const colon = text.slice(member.keyEnd, member.node.start);
  return {
    line: lineBefore(text, member.keyStart),
    closing: lineBefore(text, object.end - 1) ?? '',
    colon: /^[ \t]*:[ \t]*$/.test(colon) ? colon : ': ',
  };
}

const PLAIN: Style = { line: undefined, closing: '', colon: ': ' };

/** The style of the members to come: each on its line if the empty object stands alone behind its key in a text of several lines. */
function styleInEmpty(text: string, { start, end }: JsonNode): Style {
  const lineStart = text.lastIndexOf('\n', start) + 1;
  const [, indent] = /^([ \t]*)(?:"(?:[^"\\]|\\.)*"[ \t]*:[ \t]*)?$/.exec(text.slice(lineStart, start)) ?? [];
  if (!text.includes('\n')) return { ...PLAIN, colon: text.includes('": ') ? ': ' : ':' };
  // Undoing takes out what was put in, and no white space that stood there.
  if (indent === undefined || end - start > 2) return PLAIN;
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  const closing = `${text.includes('\r\n') ? '\r' : ''}\n${indent}`;
  return { line: `${closing}${unit}`, closing, colon: ': ' };
}

function isTight(text: string, member: JsonMember): boolean {
  return text.slice(member.keyEnd, member.node.start) === ':';
}

function spaceBefore(text: string, offset: number): string {
  let at = offset;
  while (at > 0 && ' \t'.includes(text.charAt(at - 1))) at -= 1;
  return text.slice(at, offset);
}

/** The line end before an offset and the white space between; undefined where something else stands on that line. */
function lineBefore(text: string, offset: number): string | undefined {
  const space = spaceBefore(text, offset);
  const at = offset - space.length;
  if (text.charAt(at - 1) !== '\n') return undefined;
  return `${text.charAt(at - 2) === '\r' ? '\r' : ''}\n${space}`;
}

import type { MemberWriter } from '../edit-json.ts';
import type { JsonMember, JsonNode, JsonScan } from '../scan-json.ts';

/** A syntax other than JSON: its parser, and how its members are written. */
export interface TextFormat {
  readonly scan: (text: string) => JsonScan;
  readonly writer: MemberWriter;
  /** The value of a text that was scanned, by another parser; undefined where clawai has none. */
  readonly parseAgain?: (text: string) => unknown;
}

/** A node that is being built. */
export interface OpenNode extends JsonNode {
  end: number;
  readonly members: JsonMember[];
  readonly items: JsonNode[];
}

export function newNode(kind: JsonNode['kind'], start: number, end: number, value = ''): OpenNode {
  return { kind, start, end, value, members: [], items: [], trailingComma: undefined, duplicate: undefined };
}

/**
 * Gives a list of servers members, by their names: so a server keeps its path when others come before it. A list with an item that has no
 * name gets none.
 */
export function nameItems({ items, members }: OpenNode): void {
  for (const node of items) {
    const name = node.members.find(({ key }) => key === 'name')?.node;
    if (name?.kind !== 'string') {
      members.length = 0;
      return;
    }
    members.push({ key: name.value, keyStart: name.start, keyEnd: name.end, comma: undefined, node });
  }
}

/** The line end of a text: that of its first line. */
export function lineEndOf(text: string): string {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** The end of the line that an offset is in, its line end not included. */
export function endOfLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at === -1) return text.length;
  return at > offset && text[at - 1] === '\r' ? at - 1 : at;
}

/** The start of the line that an offset is in. */
export function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

type Removal = ReturnType<MemberWriter['remove']>[number];

/** The splice that takes out a member between brackets, with one comma. */
export function inlineRemoval(text: string, { start, end }: { readonly start: number; readonly end: number }): Removal {
  const before = text.slice(0, start).trimEnd();
  if (before.endsWith(',')) return { start: before.length - 1, end, text: '' };
  const [, comma = ''] = /^(\s*,\s*)/.exec(text.slice(end)) ?? [];
  return { start, end: end + comma.length, text: '' };
}

/** The splice that takes out a member on a line of its own, with the line end before it; a comment behind it stays. */
export function lineRemoval(text: string, { start, end }: { readonly start: number; readonly end: number }): Removal {
  const line = startOfLine(text, start);
  const lineEnd = endOfLine(text, end);
  if (text.slice(end, lineEnd).trim() !== '') return { start, end, text: '' };
  if (line === 0) return { start: line, end: Math.min(text.length, text.indexOf('\n', lineEnd) + 1), text: '' };
  const before = text[line - 2] === '\r' ? line - 2 : line - 1;
  return { start: before, end: lineEnd, text: '' };
}

import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { MemberWriter } from '../edit-json.ts';
import { formatLike, type NewMember } from '../json-style.ts';
import type { JsonMember, JsonNode, JsonScan } from '../scan-json.ts';
import {
  endOfLine,
  lineEndOf,
  inlineRemoval,
  lineRemoval,
  nameItems,
  newNode,
  type OpenNode,
  startOfLine,
  type TextFormat,
} from './format.ts';

/** Maps and lists that stand in brackets. */
const flows = new WeakSet<JsonNode>();

/** YAML. Values are written as strings in double quotes, which every version and parser reads alike. */
export const YAML: TextFormat = {
  scan,
  writer: { replace: (text, { member }, value) => write(text, value, member.node), insert, remove },
};

/** Aliases can be nested so that a short text means an endless one. */
const MOST_ALIASES = 100;

function scan(text: string): JsonScan {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const lines = new LineCounter();
  const document = parseDocument(text.slice(mark), { prettyErrors: false, logLevel: 'error', lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, offset: mark + error.pos[0], message: describeError(error) };
  if (document.contents === null) return { ok: true, root: undefined };
  const aliases = aliasesIn(document);
  if (aliases.count > MOST_ALIASES) return { ok: false, offset: mark, message: `it has more than ${MOST_ALIASES} aliases` };
  const builder = new Builder({ text, mark, lines, document, repeated: aliases.names });
  return { ok: true, root: builder.build(document.contents, undefined) };
}

function describeError({ code, message }: YAMLError): string {
  switch (code) {
    case 'MULTIPLE_DOCS':
      return 'the file holds several documents, and clawai edits none of them';
    case 'DUPLICATE_KEY':
      return 'a key appears twice';
    case 'TAB_AS_INDENT':
      return 'a tab indents this line, and YAML allows only spaces';
    default:
      return `this is not YAML: ${message.split('\n')[0] ?? ''}`;
  }
}

function aliasesIn(document: Document): { readonly count: number; readonly names: ReadonlySet<string> } {
  const names = new Set<string>();
  let count = 0;
  visit(document, {
    Alias(_, { source }) {
      names.add(source);
      count += 1;
    },
  });
  return { count, names };
}

interface Source {
  readonly text: string;
  readonly mark: number;
  readonly lines: LineCounter;
  readonly document: Document;
  /** Anchors that an alias names. */
  readonly repeated: ReadonlySet<string>;
}

/** Makes nodes with places. A value that stands elsewhere too, or comes from elsewhere, can be read and not edited. */
class Builder {
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  /** @param obstacle the reason why what stands around this node must stay */
  build(node: unknown, obstacle: string | undefined, at = 0): JsonNode {
    const { document, mark, repeated } = this.#source;
    if (isAlias(node)) {
      const place = this.#place(node);
      const why = obstacle ?? `*${node.source} at ${place} stands for a value elsewhere: write the value there, then wrap it`;
      const target = node.resolve(document);
      // Anything below another alias is not followed, so that the work is bounded.
      const built = target === undefined || obstacle !== undefined ? newNode('null', 0, 0) : this.build(target, why);
      const [start = 0, end = 0] = node.range?.map((offset) => offset + mark) ?? [];
      return { ...built, start, end, obstacle: why };
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return newNode('null', at, at);
    const { anchor, tag } = node;
    const why =
      obstacle ??
      (anchor !== undefined && repeated.has(anchor)
        ? `*${anchor} repeats what &${anchor} at ${this.#place(node)} says: write it out in both places, then wrap it`
        : tag === undefined
          ? undefined
          : `it has the tag ${tag} at ${this.#place(node)}: remove the tag, then wrap it`);
    const [start = 0, end = 0] = node.range?.map((offset) => offset + mark) ?? [];
    const built = isScalar(node) ? this.#scalar(node, start, end) : newNode(isMap(node) ? 'object' : 'array', start, end);
    if (isMap(node)) this.#addMembers(built, node, why);
    if (isSeq(node)) {
      built.items.push(...node.items.map((item) => this.build(item, why, end)));
      nameItems(built);
    }
    if (!isScalar(node)) {
      if (node.flow === true) flows.add(built);
      else
        built.end = Math.max(start, ...[...built.items, ...built.members.map((member) => member.node)].map((inner) => inner.end));
    }
    return why === undefined ? built : this.#marked(built, why);
  }

  #marked(node: OpenNode, obstacle: string): JsonNode {
    const marked = { ...node, obstacle };
    if (flows.has(node)) flows.add(marked);
    return marked;
  }

  #scalar(node: Scalar, start: number, end: number): OpenNode {
    const { value, type } = node;
    // The line ends behind a block are its own, but what is written in its place needs them.
    const isBlock = type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL;
    const last = isBlock ? start + this.#source.text.slice(start, end).trimEnd().length : end;
    if (value === null) return newNode('null', start, last);
    if (typeof value === 'string') return newNode('string', start, last, value);
    return newNode(typeof value === 'boolean' ? 'boolean' : 'number', start, last, this.#source.text.slice(start, last));
  }

  #addMembers(built: OpenNode, map: YAMLMap, obstacle: string | undefined): void {
    const inherited: JsonMember[] = [];
    for (const pair of map.items) {
      const { key, value } = pair;
      if (!isScalar(key)) continue;
      const [keyStart = 0, keyEnd = 0] = key.range?.map((offset) => offset + this.#source.mark) ?? [];
      const member = { key: String(key.value), keyStart, keyEnd, comma: undefined };
      if (key.value === '<<' && key.type === Scalar.PLAIN) inherited.push(...this.#inherited(pair, obstacle));
      built.members.push({ ...member, node: this.build(value, obstacle, keyEnd) });
    }
    const own = new Set(built.members.map(({ key }) => key));
    for (const member of inherited) {
      if (!own.has(member.key)) built.members.push(member);
      own.add(member.key);
    }
  }

  /** The members that `<<` brings into a map. */
  #inherited({ key, value }: Pair, obstacle: string | undefined): readonly JsonMember[] {
    const why = obstacle ?? `it comes from << at ${this.#place(key as Node)}: write it in the entry itself, then wrap it`;
    const sources = isSeq(value) ? value.items : [value];
    return sources.flatMap((source) => {
      const map = isAlias(source) ? source.resolve(this.#source.document) : source;
      return isMap(map) ? this.build(map, why).members.filter((member) => member.key !== '<<') : [];
    });
  }

  #place({ range }: Node): string {
    const { line, col } = this.#source.lines.linePos(range?.[0] ?? 0);
    return `${line}:${col}`;
  }
}

/** A member that was not there: behind its sibling or the last one, on the next line, or in the same brackets. */
function insert(
  text: string,
  object: JsonNode,
  { key, value, after }: { key: string; value: NewMember; after: string | undefined },
): ReturnType<MemberWriter['insert']> {
  const sibling =
    object.members.find((member) => member.key === after) ?? object.members.findLast(({ node }) => node.obstacle === undefined);
  if (sibling === undefined) throw new Error('a map has no value that a new one could follow');
  const written = write(text, value, undefined);
  const { keyStart, node } = sibling;
  if (flows.has(object)) return { at: node.end, inserted: `, ${key}: ${written}`, value: written };
  const indent = ' '.repeat(columnOf(text, keyStart));
  return { at: endOfLine(text, node.end), inserted: `${lineEndOf(text)}${indent}${key}: ${written}`, value: written };
}

function remove(text: string, object: JsonNode, { keyStart, node: { end } }: JsonMember): ReturnType<MemberWriter['remove']> {
  const span = { start: keyStart, end };
  return [flows.has(object) ? inlineRemoval(text, span) : lineRemoval(text, span)];
}

function write(text: string, value: NewMember, node: JsonNode | undefined): string {
  if ('raw' in value) return value.raw;
  if ('json' in value) throw new Error('clawai writes no maps');
  if (typeof value.value === 'string') return writeString(value.value);
  const items = value.value.map(writeString);
  if (node === undefined || node.items.length === 0 || items.length === 0) return `[${items.join(', ')}]`;
  if (flows.has(node)) return formatLike(text, node, { items, comma: ', ' });
  const line = `${lineEndOf(text)}${' '.repeat(columnOf(text, node.start))}`;
  return items.map((item) => `- ${item}`).join(line);
}

function columnOf(text: string, offset: number): number {
  return text.slice(startOfLine(text, offset), offset).replace('\uFEFF', '').length;
}

/** JSON's strings are YAML's, but versions of YAML differ in which of these characters end a line or may stand there. */
function writeString(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF]/g,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  );
}

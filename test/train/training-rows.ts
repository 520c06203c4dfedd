import { fieldsOf } from '../../src/core/detect/fields-of.ts';
import { SINGLE_WORD } from '../../src/core/detect/inspect-field.ts';
import { type ReadSentences, readSentences } from '../../src/core/detect/model/read-sentences.ts';
import { normalise } from '../../src/core/detect/normalise/normalise.ts';
import type { CorpusRow } from '../score/corpus.ts';
import { type DetectRow, toDetectRows } from '../score/detect-rows.ts';

/** A row with what the model sees of it. */
export interface TrainingRow {
  readonly row: DetectRow;
  /** Rows of one source are in one fold. */
  readonly source: string;
  /** The kind of benign source; `malicious` for the others. */
  readonly from: 'npm' | 'listing' | 'code' | 'docs' | 'toy' | 'chat' | 'hard' | 'malicious';
  /** True if weights that ship may be trained on it. */
  readonly mayShip: boolean;
  readonly isChat: boolean;
  readonly read: Pick<ReadSentences, 'features' | 'from'>;
  /** Indices of the last sentences of each text. */
  readonly ends: ReadonlySet<number>;
  /** Decoded and otherwise read forms of its texts, which are scored but not trained on. */
  readonly hidden: readonly Pick<ReadSentences, 'features' | 'from'>[];
}

/** Longer texts are cut, so that none decides. */
const MOST_CHARACTERS = 10_000;

const PERMISSIVE = /^(?:\(?MIT|Apache-2\.0$|BSD|ISC|CC0|CC-BY-4|BlueOak|MIT-0|authored for this project)/;

/** Groups whose servers or documents are made for tests and courses. */
const TOYS =
  /^(?:python-sdk|mcp-course|modelcontextprotocol|mcp-scan|mcp-defense-bench|mcp-security-scanner|gpt4free|agents\.md|AgentDyn|agent-redteam|mcp-bench|agentdojo|agent-security-sandbox|CS763.*|prompt-injection-.*|langchain-prompt-injection|hinglish.*|open-agent.*)$/;

/** Reads the rows, without exact duplicates of what the model sees. */
export function toTrainingRows(rows: readonly CorpusRow[]): readonly TrainingRow[] {
  const byPlace = new Map(rows.map((row) => [row.place, row.fields]));
  const licences = new Map(rows.map(({ fields }) => [text(fields['group']), text(fields['licence'])]));
  const seen = new Set<string>();
  return toDetectRows(rows).flatMap((row) => {
    const fields = byPlace.get(row.place) ?? {};
    const { read, ends, hidden } = readTexts(textsOf(row));
    const key = `${row.isMalicious} ${row.kind} ${read.features.join(' ')}`;
    if (seen.has(key) || read.features.length === 0) return [];
    seen.add(key);
    const group = text(fields['group']);
    const owner = text(fields['family']) || text(fields['server']) || text(fields['source']);
    const source = group === '' ? owner : group.replace('authored-b-embed', 'embedded-b');
    const mayShip = isPermissive(text(fields['licence']), licences);
    return [{ row, source, from: kindOf(row, fields), mayShip, isChat: fields['chat'] === true, read, ends, hidden }];
  });
}

function kindOf({ isMalicious, isHard, kind }: DetectRow, fields: Readonly<Record<string, unknown>>): TrainingRow['from'] {
  if (isMalicious) return 'malicious';
  if (isHard) return 'hard';
  if (fields['chat'] === true) return 'chat';
  if (fields['via'] === 'npm') return 'npm';
  const group = text(fields['group']);
  if (group === '') return 'listing';
  if (TOYS.test(group)) return 'toy';
  return kind === 'definition' ? 'code' : 'docs';
}

/** Names of parameters, and types, tell more about the server than about the text, so the model never sees them. */
function textsOf({ kind, definition, texts }: DetectRow): readonly string[] {
  if (kind === 'text') return texts.map((field) => field.text);
  return fieldsOf(definition.value).flatMap(({ isName, text: field }) => (isName || SINGLE_WORD.test(field) ? [] : [field]));
}

function readTexts(texts: readonly string[]): Pick<TrainingRow, 'read' | 'ends' | 'hidden'> {
  const features: number[] = [];
  const from = [0];
  const ends = new Set<number>();
  const hidden: TrainingRow['hidden'][number][] = [];
  for (const field of texts) {
    const { plain, hidden: inner, origins } = normalise(field.slice(0, MOST_CHARACTERS));
    const read = readSentences(plain);
    const start = features.length;
    for (const feature of read.features) features.push(feature);
    for (const end of read.from.slice(1)) from.push(start + end);
    ends.add(from.length - 2);
    for (const [index, form] of inner.entries()) {
      if (origins[index]?.hiding === 'joined') continue;
      const other = readSentences(form);
      hidden.push({ features: other.features.slice(), from: other.from });
    }
  }
  return { read: { features: Int32Array.from(features), from }, ends, hidden };
}

/** A licence of two parts, such as `sentence: CC0; carrier: owner/name`, is permissive if both are. */
function isPermissive(licence: string, licences: ReadonlyMap<string, string>): boolean {
  // A list has a licence, and each text in it the licence of its server.
  if (licence.includes('each server')) return false;
  if (!/^(?:sentence|instruction): /.test(licence)) return PERMISSIVE.test(licence);
  return licence.split('; ').every((part) => {
    const [role, ...rest] = part.split(': ');
    const of = rest.join(': ');
    return PERMISSIVE.test(role === 'carrier' ? (licences.get(of.split('/').at(-1) ?? '') ?? '') : of);
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

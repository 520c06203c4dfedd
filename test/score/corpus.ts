import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A row of a corpus, as far as all kinds of rows have it. */
export interface CorpusRow {
  /** Of the file, and the line in it. */
  readonly place: string;
  readonly kind: string;
  /** Empty where the row has none. */
  readonly technique: string;
  readonly isMalicious: boolean;
  readonly payload: unknown;
  /** All of the row, for what only some kinds have. */
  readonly fields: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Reads all rows of all `*.jsonl.gz` files in a folder. Throws where there are none, or one is damaged. */
export function readCorpus(folder: string): readonly CorpusRow[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'));
  if (names.length === 0) throw new Error(`${folder} has no *.jsonl.gz files`);
  return names.toSorted().flatMap((name) => {
    const lines = gunzipSync(readFileSync(join(folder, name)))
      .toString('utf8')
      .split('\n');
    return lines.flatMap((line, index) => (line === '' ? [] : [toRow(line, `${name}:${index + 1}`)]));
  });
}

/** An object's fields. Throws for anything else. */
export function fieldsOf(value: unknown, place: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${place}: no JSON object`);
  return value as Fields;
}

/** A field that must be there and be a text. */
export function textOf(fields: Fields, key: string, place: string): string {
  const value = fields[key];
  if (typeof value !== 'string') throw new Error(`${place}: "${key}" is no text`);
  return value;
}

function toRow(line: string, place: string): CorpusRow {
  const fields = fieldsOf(JSON.parse(line), place);
  const label = textOf(fields, 'label', place);
  if (label !== 'malicious' && label !== 'benign') throw new Error(`${place}: "label" is neither "malicious" nor "benign"`);
  return {
    place,
    kind: textOf(fields, 'kind', place),
    technique: fields['technique'] === undefined ? '' : textOf(fields, 'technique', place),
    isMalicious: label === 'malicious',
    payload: fields['payload'],
    fields,
  };
}

import { isUtf8 } from 'node:buffer';
import type { TextField } from '../../../core/detect/types.ts';
import { isJsonObject, type JsonValue } from '../../../core/json.ts';
import { isAbout, mayBeSentence } from '../../../gate/detection/spanned-texts.ts';
import type { Skipped } from './item.ts';

export interface FoundTexts {
  readonly fields: readonly TextField[];
  readonly skipped: readonly Skipped[];
}

/** Members that hold bytes as base64, and characters from which on they are taken for that. */
const BINARY: ReadonlySet<string> = new Set(['data', 'blob']);
const LONG = 256;

/** UTF-16 units that are kept of a member's name in a field's name. */
const MOST_NAME = 80;

interface Place {
  readonly value: JsonValue;
  readonly field: string;
  /** Of the member that holds it. */
  readonly key: string | undefined;
}

/** Every text in a value, in order, with its place (`content[0].text`). Takes any depth. A text by itself is the field `text`. */
export function findTexts(value: JsonValue): FoundTexts {
  const fields: TextField[] = [];
  const skipped: Skipped[] = [];
  const open: Place[] = [{ value, field: '', key: undefined }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: here, field, key } = place;
    if (typeof here === 'string') {
      if (key !== undefined && isAbout(key, here)) continue;
      const text = key !== undefined && BINARY.has(key) && here.length >= LONG ? textOfBytes(here) : here;
      if (text === undefined) skipped.push({ what: field, why: 'is no text' });
      else if (text !== '') fields.push({ field: field === '' ? 'text' : field, text });
    } else open.push(...membersOf(here, field, fields).toReversed());
  }
  return { fields, skipped };
}

/** What is in an object or an array; long names of members go to the texts. */
function membersOf(value: JsonValue, field: string, fields: TextField[]): Place[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((element, i) => ({ value: element, field: `${field}[${i}]`, key: undefined }));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, member]) => {
    const name = key.length > MOST_NAME ? `${key.slice(0, MOST_NAME)}…` : key;
    const path = field === '' ? name : `${field}.${name}`;
    if (mayBeSentence(key)) fields.push({ field: `${path} (name)`, text: key });
    return { value: member, field: path, key };
  });
}

/** Files of text may come as bytes too. */
function textOfBytes(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : undefined;
}

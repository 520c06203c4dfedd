import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { JsonValue } from '../../../core/json.ts';
import { ClawaiError } from '../../../errors.ts';
import { toDiskError } from '../../../host/disk-error.ts';
import { nameOfFile } from '../../terminal/stdin.ts';
import { findDefinitions } from './items.ts';
import type { ItemGroup } from './item.ts';
import { readDocuments } from './read-documents.ts';
import { isContent, toResultItem } from './result-item.ts';

/** Bytes that are read at a time. */
const CHUNK = 1024 * 1024;

const HINTS = {
  definition: 'it holds one definition, an array of them, the answer to tools/list, or one of these a line',
  result:
    "it holds a call's result, any JSON value or a text, or one of these a line; a text that looks like JSON can be written as a JSON string",
} as const;

/**
 * What there is to look at in a file; `-` is stdin.
 *
 * @throws ClawaiError `inspect_unreadable`, with the place where that is known
 */
export async function* readGroups(file: string, holds: 'definition' | 'result'): AsyncGenerator<ItemGroup, void> {
  const name = nameOfFile(file);
  const hint = HINTS[holds];
  const source = { chunks: await openChunks(file), file: name, mayBeText: holds === 'result', hint };
  try {
    for await (const { value, line } of readDocuments(source)) {
      const group = holds === 'definition' ? toDefinitionGroup(value) : toResultGroup(value, line);
      if (group === undefined) {
        const place = line === undefined ? { file: name } : { file: name, line };
        throw new ClawaiError('this is no definition', { code: 'inspect_unreadable', place, hint });
      }
      yield { ...group, line };
    }
  } catch (error) {
    throw unreadable(name, error);
  }
}

function toDefinitionGroup(value: JsonValue): ItemGroup | undefined {
  const found = findDefinitions(value);
  return found === undefined ? undefined : { server: '', ...found };
}

/** A line is one result, whatever it is; a file with an array holds several, unless these are the parts of one. */
function toResultGroup(value: JsonValue, line: number | undefined): ItemGroup {
  const isSeveral = line === undefined && Array.isArray(value) && !isContent(value as readonly JsonValue[]);
  const results = isSeveral ? (value as readonly JsonValue[]) : [value];
  return { server: '', items: results.map(toResultItem), skipped: [] };
}

async function openChunks(file: string): Promise<AsyncIterable<Buffer>> {
  if (file === '-') return process.stdin;
  try {
    if ((await stat(file)).isDirectory()) {
      throw new ClawaiError('this is a folder', { code: 'inspect_unreadable', place: { file }, hint: 'name a file in it' });
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  return createReadStream(file, { highWaterMark: CHUNK });
}

function unreadable(file: string, cause: unknown): unknown {
  return toDiskError(cause, { file, failure: 'cannot be read', code: 'inspect_unreadable' });
}

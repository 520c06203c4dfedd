import type { JsonValue } from '../../src/core/json.ts';
import type { DefinitionInput, TextField } from '../../src/core/detect/types.ts';
import { isJsonObject } from '../../src/core/json.ts';
import type { CorpusRow } from './corpus.ts';

/** A row that a detector can look at. */
export interface DetectRow {
  readonly place: string;
  readonly kind: 'definition' | 'text';
  readonly isMalicious: boolean;
  readonly technique: string;
  /** Whose rows these are: what was collected together. */
  readonly group: string;
  /** Rows of one server are looked at together. */
  readonly server: string;
  /** It counts in the headline: neither ambiguous nor overt, nor chosen since it looks like an attack. */
  readonly isCore: boolean;
  readonly isHard: boolean;
  readonly definition: DefinitionInput;
  readonly texts: readonly TextField[];
}

const DEFINITIONS: Readonly<Record<string, DefinitionInput['kind']>> = {
  tool_definition: 'tool',
  rug_pull: 'tool',
  server_instructions: 'instructions',
};
const TEXTS: ReadonlySet<string> = new Set(['tool_result', 'resource', 'prompt']);

/** The rows of a corpus that have a text to look at. */
export function toDetectRows(rows: readonly CorpusRow[]): readonly DetectRow[] {
  return rows.flatMap((row) => {
    const definitionKind = DEFINITIONS[row.kind];
    if (definitionKind === undefined && !TEXTS.has(row.kind)) return [];
    const value = payloadOf(row);
    const name = isJsonObject(value) && typeof value['name'] === 'string' ? value['name'] : '';
    return [
      {
        place: row.place,
        kind: definitionKind === undefined ? 'text' : 'definition',
        isMalicious: row.isMalicious,
        technique: row.technique,
        group: textField(row, 'group') ?? textField(row, 'family') ?? '',
        server: textField(row, 'server') ?? row.place,
        isCore:
          row.kind.startsWith('tool_') &&
          row.fields['ambiguous'] !== true &&
          row.fields['overt'] !== true &&
          row.fields['hard'] !== true,
        isHard: row.fields['hard'] === true,
        definition: { kind: definitionKind ?? 'tool', name, value },
        texts: textsOf(value, 'content'),
      } as const,
    ];
  });
}

/** Of a definition that changed, what it became. */
function payloadOf({ kind, payload }: CorpusRow): JsonValue {
  const value = payload as JsonValue;
  return kind === 'rug_pull' && isJsonObject(value) ? (value['after'] ?? null) : value;
}

function textField({ fields }: CorpusRow, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' ? value : undefined;
}

function textsOf(value: JsonValue, field: string): readonly TextField[] {
  if (typeof value === 'string') return [{ field, text: value }];
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((entry, index) => textsOf(entry, `${field}[${index}]`));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, entry]) => textsOf(entry, `${field}.${key}`)) : [];
}

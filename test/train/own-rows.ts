import { HONEST, HONEST_RESULTS, ORDERS_IN_RESULTS, POISONED } from '../core/detect/detect-samples.ts';
import type { CorpusRow } from '../score/corpus.ts';

export const OWN_SOURCE = 'own-tests';

/** The samples of this project's tests, which are its own writing. They are one more source. */
export const OWN_ROWS: readonly CorpusRow[] = [
  ...Object.values(POISONED)
    .flat()
    .map((text, index) => toRow(index, { isMalicious: true, kind: 'tool_definition' }, { name: 'made_up', description: text })),
  ...HONEST.map((text, index) =>
    toRow(index, { isMalicious: false, kind: 'tool_definition' }, { name: 'made_up', description: text }),
  ),
  ...ORDERS_IN_RESULTS.map((text, index) => toRow(index, { isMalicious: true, kind: 'tool_result' }, text)),
  ...HONEST_RESULTS.map((text, index) => toRow(index, { isMalicious: false, kind: 'tool_result' }, text)),
];

function toRow(index: number, { isMalicious, kind }: Pick<CorpusRow, 'isMalicious' | 'kind'>, payload: unknown): CorpusRow {
  const fields = { group: OWN_SOURCE, licence: 'Apache-2.0', server: `own-${kind}-${isMalicious}-${index}`, hard: !isMalicious };
  return { place: `own:${kind}:${isMalicious}:${index}`, kind, isMalicious, payload, technique: 'own', fields };
}

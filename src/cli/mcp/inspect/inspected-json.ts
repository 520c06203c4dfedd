import { isTexts } from './item.ts';
import type { Inspected } from './inspector.ts';

/** What came of one thing, as one line of JSON. */
export function inspectedJson({
  item,
  server,
  line,
  severity,
  isAtThreshold,
  findings,
  suppressed,
  isCut,
  skipped,
}: Inspected): string {
  return JSON.stringify({
    ...(line === undefined ? {} : { line }),
    ...(server === '' ? {} : { server }),
    kind: item.kind,
    name: isTexts(item) ? null : item.name,
    severity: severity ?? null,
    at_threshold: isAtThreshold,
    findings,
    suppressed: suppressed.map(({ detection, reason }) => ({ ...detection, reason })),
    is_cut: isCut,
    skipped,
  });
}

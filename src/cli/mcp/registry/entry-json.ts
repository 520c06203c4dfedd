import { isoTime } from '../../terminal/amounts.ts';
import type { Detection } from '../../../core/detect/types.ts';
import { SEVERITIES } from '../../../core/finding.ts';
import { type Entry, entryChanges, type EntryWithTexts } from './entries.ts';

/** An entry as one line of JSON. */
export function entryJson(entry: Entry): string {
  return JSON.stringify(toFields(entry));
}

/** The same with what was found in it, both texts as they are, and what differs. */
export function entryInFullJson(entry: EntryWithTexts): string {
  const changes = entryChanges(entry)?.map(({ field, previous, next }) => ({ field, previous, new: next }));
  const { detections: look } = entry;
  const found = { detections: look?.detections ?? null, is_cut: look?.isCut ?? null };
  const fields = JSON.stringify({ ...toFields(entry), ...found, changes: changes ?? null }).slice(0, -1);
  return `${fields},"trusted":${embedded(entry.pinnedText)},"seen":${embedded(entry.seenText)}}`;
}

function toFields(entry: Entry): Readonly<Record<string, unknown>> {
  return {
    server: entry.server,
    launch: entry.launch ?? null,
    kind: entry.kind,
    name: entry.name,
    status: entry.status,
    is_listed: entry.isListed,
    trusted_hash: entry.pinned ?? null,
    seen_hash: entry.seen,
    first_seen: isoTime(entry.firstSeen),
    changed_at: isoTime(entry.changedAt),
    approved_at: isoTime(entry.approvedAt),
    approved_by: entry.approvedBy ?? null,
    looked_at: entry.detections !== undefined,
    severity: entry.detections?.severity ?? null,
    detections_by_severity: entry.detections === undefined ? null : bySeverity(entry.detections.detections),
  };
}

function bySeverity(detections: readonly Detection[]): Readonly<Record<string, number>> {
  return Object.fromEntries(SEVERITIES.map((known) => [known, detections.filter(({ severity }) => severity === known).length]));
}

/** JSON that is kept stays as it is, so that its numbers do. What an edit has made something else of is a string. */
function embedded(text: string | undefined): string {
  if (text === undefined) return 'null';
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

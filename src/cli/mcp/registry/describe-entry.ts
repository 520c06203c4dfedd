import type { FieldChange } from '../../../core/registry/definition.ts';
import { formatAgo } from '../../terminal/ago.ts';
import { layoutJson, wrap } from '../../terminal/json.ts';
import { countBySeverity, describeDetection } from './describe-detection.ts';
import { visible } from '../../terminal/printable.ts';
import { type Entry, entryChanges, entryLabel, type EntryWithTexts } from './entries.ts';

export interface DescribeOptions {
  /** Columns of the terminal. */
  readonly width: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Changes are cut where they are long or many. A definition that says so itself is only shown in full once more. */
const CUT = /…|\(\d+ more\)/;

/**
 * All that a person needs to decide whether to trust an entry: what differs from what is trusted, and the whole of what is new, or of what
 * differs in more than can be told change by change. Nobody is to say yes to what was left out.
 */
export function describeEntry(entry: EntryWithTexts, { width, now }: DescribeOptions): string[] {
  const lines = [
    ...wrap(entryLabel(entry), width),
    ...factLines(entry, now).flatMap((line) => wrap(line, width)),
    ...foundLines(entry, width),
    '',
  ];
  if (entry.pinned === undefined) return [...lines, ...besideTrusted(entry, width), ...textLines(entry.seenText, width)];
  lines.push(...changeLines(entry, width));
  const changes = entryChanges(entry) ?? [];
  const isCut = changes.some(({ field, previous, next }) => [field, previous, next].some((text) => CUT.test(text ?? '')));
  return isCut ? [...lines, '', '  as it was seen last', ...textLines(entry.seenText, width)] : lines;
}

/** Lines that tell a launch that nobody trusts from the trusted one that is most like it. */
function besideTrusted(entry: EntryWithTexts, width: number): string[] {
  const changes = entryChanges(entry) ?? [];
  if (entry.kind !== 'server' || changes.length === 0) return [];
  return [
    '  what differs from the way that is trusted',
    ...changes.flatMap((change) => fieldLines(change, width)),
    '',
    '  all of it',
  ];
}

/** The same, and both texts in full. */
export function describeInFull(entry: EntryWithTexts, { width, now }: DescribeOptions): string[] {
  const lines = [
    ...wrap(entryLabel(entry), width),
    ...factLines(entry, now).flatMap((line) => wrap(line, width)),
    ...foundLines(entry, width),
    '',
  ];
  if (entry.status === 'changed') lines.push(...changeLines(entry, width), '');
  lines.push('  as it was seen last', ...textLines(entry.seenText, width));
  if (entry.status === 'changed') lines.push('', '  as it is trusted', ...textLines(entry.pinnedText, width));
  return lines;
}

function factLines(entry: Entry, now: number): string[] {
  const { pinned, seen, approvedAt, approvedBy, firstSeen, changedAt, isListed, status } = entry;
  const by =
    approvedBy === undefined || approvedAt === undefined
      ? 'nobody yet: as it was seen first'
      : `${visible(approvedBy)}, ${formatAgo(approvedAt, now)}`;
  const changed = changedAt === firstSeen ? '' : `, changed ${formatAgo(changedAt, now)}`;
  return [
    `status  ${describeStatus(status)}${isListed ? '' : '; it is not listed any more'}`,
    ...(pinned === undefined ? [] : [`trusted ${visible(pinned)}`, `by      ${by}`]),
    `seen    ${visible(seen)}`,
    `times   first seen ${formatAgo(firstSeen, now)}${changed}`,
  ];
}

/** What detection found is what a person is to see before anything else of it. */
function foundLines({ kind, detections }: Entry, width: number): string[] {
  if (kind === 'server') return [];
  if (detections === undefined) return ['found   it was not looked at'];
  const cut = detections.isCut ? '; not all of it was looked at, since it is longer than what is' : '';
  if (detections.severity === undefined) return wrap(`found   nothing${cut}`, width);
  const look = { width, colour: false };
  return [
    ...wrap(`found   ${countBySeverity(detections.detections)}${cut}`, width),
    ...detections.detections.flatMap((detection) => describeDetection(detection, look)),
  ];
}

function describeStatus(status: Entry['status']): string {
  if (status === 'pinned') return 'pinned: it is what is trusted';
  return status === 'new' ? 'new: nobody has trusted it yet' : 'changed: it is not what is trusted';
}

function changeLines(entry: EntryWithTexts, width: number): string[] {
  const changes = entryChanges(entry);
  if (changes === undefined)
    return ['  What is trusted can not be shown beside it. As it was seen last:', ...textLines(entry.seenText, width)];
  if (changes.length > 0) return changes.flatMap((change) => fieldLines(change, width));
  return wrap(entry.kind === 'server' ? NO_CHANGE.server : NO_CHANGE.definition, width, 2);
}

const NO_CHANGE = {
  server: 'What changed looks like a secret, or is beyond what is kept of it.',
  definition: 'No member differs.',
} as const;

function fieldLines({ field, previous, next, isPlain }: FieldChange, width: number): string[] {
  // Quoted, so that a text shows where it ends, and that it is none where it is empty.
  const linesOf = (sign: string, text: string | undefined): string[] =>
    text === undefined ? [] : wrap(`${sign} ${visible(isPlain === true ? JSON.stringify(text) : text)}`, width, 4);
  return [...wrap(visible(field), width, 2), ...linesOf('-', previous), ...linesOf('+', next)];
}

function textLines(text: string | undefined, width: number): string[] {
  if (text === undefined) return ['  It was too large to keep, so it can not be shown.'];
  return layoutJson(text, width - 4).map((line) => `    ${line}`);
}

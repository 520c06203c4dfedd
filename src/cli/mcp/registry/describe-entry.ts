import type { Detection } from '../../../core/detect/types.ts';
import { SEVERITIES, type Severity } from '../../../core/finding.ts';
import type { FieldChange } from '../../../core/registry/definition.ts';
import { formatAgo, isoTime } from '../../terminal/layout.ts';
import { layoutJson, wrap } from '../../terminal/json.ts';
import { visible, wrapWords } from '../../terminal/text.ts';
import { type Entry, entryChanges, entryLabel, type EntryWithTexts } from './entries.ts';
import { type Look, paint } from '../../terminal/colour.ts';

interface DescribeOptions {
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
  const lines = headLines(entry, { width, now });
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
  const lines = headLines(entry, { width, now });
  if (entry.status === 'changed') lines.push(...changeLines(entry, width), '');
  lines.push('  as it was seen last', ...textLines(entry.seenText, width));
  if (entry.status === 'changed') lines.push('', '  as it is trusted', ...textLines(entry.pinnedText, width));
  return lines;
}

function headLines(entry: Entry, { width, now }: DescribeOptions): string[] {
  return [...[entryLabel(entry), ...factLines(entry, now)].flatMap((line) => wrap(line, width)), ...foundLines(entry, width), ''];
}

function factLines(entry: Entry, now: number): string[] {
  const { pinned, seen, approvedAt, approvedBy, firstSeen, changedAt, isListed, status } = entry;
  const by =
    approvedBy === undefined || approvedAt === undefined
      ? 'first use; nobody has approved it'
      : `${visible(approvedBy)}, ${formatAgo(approvedAt, now)}`;
  const changed = changedAt === firstSeen ? '' : `, changed ${formatAgo(changedAt, now)}`;
  return [
    `status  ${describeStatus(status)}${isListed ? '' : '; it is not listed any more'}`,
    ...(pinned === undefined ? [] : [`trusted ${visible(pinned)}`, `by      ${by}`]),
    `seen    ${visible(seen)}`,
    `times   first seen ${formatAgo(firstSeen, now)}${changed}`,
  ];
}

/** Lines on detections, which a person is to see before anything else of an entry. */
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

const STYLES = { low: 'dim', medium: 'yellow', high: 'red', critical: 'red' } as const satisfies Record<Severity, string>;

/** Columns of the longest severity, so that rules stand below each other. */
const SEVERITY_WIDTH = 'critical'.length;
/** The place of a finding. */
const BELOW = SEVERITY_WIDTH + 4;

/** Matches that are shown; `--json` has all that are kept. */
const MOST_MATCHES = 3;

/**
 * A finding as lines: its severity, rule and field, what it means, and what it was found in. All in it is visible.
 *
 * @param reason why it was suppressed, where it was
 */
export function describeDetection(detection: Detection, look: Look, reason?: string): string[] {
  const { rule, severity, field, description, matches } = detection;
  const word = severity.padEnd(SEVERITY_WIDTH);
  const shown = reason === undefined ? paint(STYLES[severity], word, look) : paint('dim', word, look);
  const [first = '', ...rest] = wrapText(`${visible(rule)} in ${visible(field)}`, look.width - BELOW, 0);
  const lines = [`  ${shown}  ${first}`, ...rest.map((line) => `${' '.repeat(BELOW)}${line}`)];
  lines.push(...wrapText(visible(description), look.width));
  if (reason !== undefined) return [...lines, ...wrapText(`suppressed: ${visible(reason)}`, look.width)];
  for (const { text, context, decoded } of matches.slice(0, MOST_MATCHES)) {
    const how = decoded === undefined ? '' : ` (${visible(decoded)})`;
    lines.push(...wrapText(`${quote(context === '' ? text : context)}${how}`, look.width));
  }
  return lines;
}

/** Wraps between words, and inside those longer than a line. */
function wrapText(text: string, width: number, indent = BELOW): string[] {
  return wrapWords(text, width - indent).flatMap((line) => wrap(line, width, indent));
}

/** `2 critical, 1 medium`; the worst first. */
export function countBySeverity(detections: readonly Pick<Detection, 'severity'>[]): string {
  const order = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Severity[];
  const counts = order.map((severity) => [detections.filter((each) => each.severity === severity).length, severity] as const);
  return counts.flatMap(([count, severity]) => (count === 0 ? [] : [`${count} ${severity}`])).join(', ');
}

/** Puts a text on one line, between quotation marks; line ends become spaces. */
function quote(text: string): string {
  return `"${visible(text.replaceAll(/\s+/g, ' ').trim())}"`;
}

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

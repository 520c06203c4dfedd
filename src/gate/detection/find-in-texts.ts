import type { Detection, Detector, TextField, TextOrigin } from '../../core/detect/types.ts';
import type { TurnTaking } from '../ports/ports.ts';

/** UTF-16 units that are scanned at once, in a few milliseconds, and units that overlap with the next group. */
const GROUP = 32 * 1024;
const OVERLAP = 1024;

/** Texts of the previous group that are scanned again, since an order may be split over several. */
const MOST_AGAIN = 8;

/** Texts that are scanned together. */
interface TextGroup {
  readonly fields: readonly TextField[];
  /** Offsets of these texts in the whole ones, by field; absent ones are 0. */
  readonly offsets: ReadonlyMap<string, number>;
}

/** Findings in a message's texts. */
export interface FoundInTexts {
  readonly detections: readonly Detection[];
  readonly isCut: boolean;
}

/** Scans the texts of one message in steps, so that passing messages do not wait for all of it. */
export async function findInTexts(
  detector: Detector,
  texts: readonly TextField[],
  { origin, turns }: { readonly origin: TextOrigin; readonly turns: TurnTaking },
): Promise<FoundInTexts> {
  const all: Detection[] = [];
  let isCut = false;
  for (const group of groupsOf(texts)) {
    await turns.letOthers();
    const inspection = detector.texts(origin, group.fields);
    isCut ||= inspection.isCut;
    all.push(...inWhole(inspection.detections, group));
  }
  return { detections: withoutRepeats(all), isCut };
}

/**
 * Divides texts so that scanning a group takes a few milliseconds. Text across the end of a group is repeated in the next one, up to a
 * bound.
 */
export function* groupsOf(texts: readonly TextField[]): Generator<TextGroup> {
  let group = new Group();
  for (const { field, text } of texts) {
    let from = 0;
    while (from < text.length) {
      const end = Math.min(text.length, from + GROUP - group.size);
      group.add({ field, text: text.slice(from, end) }, from);
      if (group.size < GROUP) break;
      yield group;
      group = end < text.length ? new Group() : group.after();
      from = end < text.length ? Math.max(from + 1, end - OVERLAP) : end;
    }
  }
  if (!group.isSeen) yield group;
}

class Group implements TextGroup {
  readonly fields: TextField[] = [];
  readonly offsets = new Map<string, number>();
  size = 0;
  /** True while it contains nothing that the group before did not. */
  isSeen = true;

  add(field: TextField, offset: number): void {
    this.fields.push(field);
    this.size += field.text.length;
    this.isSeen = false;
    if (offset > 0) this.offsets.set(field.field, offset);
  }

  /** The next group, which begins with the end of this one. */
  after(): Group {
    const next = new Group();
    let room = OVERLAP;
    for (const { field, text } of this.fields.slice(-MOST_AGAIN).toReversed()) {
      if (room <= 0) break;
      const from = Math.max(0, text.length - room);
      const offset = (this.offsets.get(field) ?? 0) + from;
      next.fields.unshift({ field, text: text.slice(from) });
      if (offset > 0) next.offsets.set(field, offset);
      room -= text.length - from;
    }
    next.size = OVERLAP - Math.max(0, room);
    return next;
  }
}

/** Findings of a group, with positions in the whole texts. */
export function inWhole(detections: readonly Detection[], { offsets }: TextGroup): readonly Detection[] {
  if (offsets.size === 0) return detections;
  return detections.map((detection) => {
    const offset = offsets.get(detection.field) ?? 0;
    if (offset === 0) return detection;
    return {
      ...detection,
      matches: detection.matches.map((match) => ({ ...match, position: match.position + offset })),
    };
  });
}

/** Removes the repeated findings of text that two groups share. */
export function withoutRepeats(detections: readonly Detection[]): readonly Detection[] {
  const known = new Set<string>();
  return detections.filter(({ rule, field, matches }) => {
    const key = `${rule} ${field} ${matches[0]?.position ?? ''}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

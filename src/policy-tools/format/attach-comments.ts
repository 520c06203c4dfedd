/** A range of the text: 0-based offsets, the end not included. */
export interface Ranged {
  readonly range: readonly [number, number];
}

/** A comment that has a line of its own. */
export interface OwnLine {
  readonly text: string;
  /** True if an empty line stands above it. */
  readonly hasGap: boolean;
}

/** Something that is written, with the comments that belong to it. */
export interface Attached<T> {
  readonly item: T;
  /** The comments on the lines above it. */
  readonly before: readonly OwnLine[];
  /** The comment behind it, on the line where it ends. */
  readonly behind: string | undefined;
  /** True if an empty line stands above it, below those comments. */
  readonly hasGap: boolean;
}

export interface Attachment<T> {
  /** The comment on the line of the opening bracket. */
  readonly opening: string | undefined;
  readonly items: readonly Attached<T>[];
  /** The comments below the last item. */
  readonly rest: readonly OwnLine[];
}

/**
 * Tells which comment belongs to which of the items between which it stands.
 *
 * @param bracket offset behind the bracket that opens the items; undefined if there is none
 */
export function attachComments<T extends Ranged>(
  text: string,
  { items, comments }: { readonly items: readonly T[]; readonly comments: readonly Ranged[] },
  bracket?: number,
): Attachment<T> {
  const attached: { item: T; before: readonly OwnLine[]; behind: string | undefined; hasGap: boolean }[] = [];
  let opening: string | undefined;
  let waiting: OwnLine[] = [];
  let end = bracket ?? 0;
  const parts = [
    ...items.map((item) => ({ item, range: item.range })),
    ...comments.map(({ range }) => ({ item: undefined, range })),
  ].toSorted((a, b) => a.range[0] - b.range[0]);
  for (const { item, range } of parts) {
    const between = text.slice(end, range[0]);
    const hasGap = /\n[ \t]*\r?\n/.test(between);
    const last = attached.at(-1);
    if (item !== undefined) {
      attached.push({ item, before: waiting, behind: undefined, hasGap });
      waiting = [];
    } else {
      const comment = text.slice(...range).trimEnd();
      const isSameLine = !between.includes('\n') && waiting.length === 0;
      if (isSameLine && last !== undefined && last.behind === undefined) last.behind = comment;
      else if (isSameLine && last === undefined && bracket !== undefined) opening = comment;
      else waiting.push({ text: comment, hasGap });
    }
    end = range[1];
  }
  return { opening, items: attached, rest: waiting };
}

/** The comments that lie in none of the items; both are in the order of the text. */
export function findOutside(comments: readonly Ranged[], items: readonly Ranged[]): readonly Ranged[] {
  let at = 0;
  return comments.filter((comment) => {
    while ((items[at]?.range[1] ?? Infinity) <= comment.range[0]) at++;
    const item = items[at];
    return item === undefined || !isIn(comment, item);
  });
}

/** The comments in something, found among all of them in their order: there may be as many as there are values to ask for. */
export function findInside(comments: readonly Ranged[], outer: Ranged): readonly Ranged[] {
  const start = firstFrom(comments, outer.range[0]);
  return comments.slice(start, firstFrom(comments, outer.range[1]));
}

/** The index of the first that begins at an offset or behind it. */
function firstFrom(comments: readonly Ranged[], offset: number): number {
  let [low, high] = [0, comments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.range[0] ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function isIn({ range }: Ranged, outer: Ranged): boolean {
  return range[0] >= outer.range[0] && range[1] <= outer.range[1];
}

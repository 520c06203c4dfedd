/**
 * Stands for something that is not known: called the same way in the same world, it gives the same answer.
 *
 * @param what is not known; the same name is the same unknown, and has the same options each time
 * @param options what it may be, at least one; the first one is tried first
 */
export type Choose = <T>(what: string, options: readonly T[]) => T;

/** One way things may have been, and what comes of it. */
export interface World<T> {
  readonly value: T;
  /** What had to be supposed. */
  readonly supposed: readonly string[];
  /** What is supposed otherwise than in the world before; undefined in the first one. */
  readonly changed: string | undefined;
}

interface Step {
  readonly what: string;
  readonly count: number;
  index: number;
}

/**
 * Works something out in every way that what is not known may have been. Only what is asked for is told apart, so that what does not
 * matter costs nothing. Whoever has seen enough stops reading.
 *
 * @param run depends on nothing but what `choose` gives it
 */
export function* explore<T>(run: (choose: Choose) => T): Generator<World<T>, void, void> {
  const path: Step[] = [];
  for (;;) {
    const settled = new Map<string, number>();
    let depth = 0;
    const choose: Choose = (what, options) => {
      let index = options.length === 1 ? 0 : settled.get(what);
      if (index === undefined) {
        const step = (path[depth] ??= { what, count: options.length, index: 0 });
        depth += 1;
        ({ index } = step);
        settled.set(what, index);
      }
      return options[index] as (typeof options)[number];
    };
    const value = run(choose);
    path.length = depth;
    yield { value, supposed: path.map(({ what }) => what), changed: path.findLast(({ index }) => index > 0)?.what };
    let last = path.at(-1);
    while (last !== undefined && last.index + 1 >= last.count) {
      path.pop();
      last = path.at(-1);
    }
    if (last === undefined) return;
    last.index += 1;
  }
}

import { MOST_PATHS } from '../../core/match/paths-to-resolve.ts';
import type { Place, RealPath } from '../ports/ports.ts';
import type { Recorder, Transaction } from '../recorder.ts';

const NOTHING: ReadonlyMap<string, string> = new Map();

/**
 * Real paths of one transaction: all its decisions see the disk as it was at one moment, since nothing of it has been forwarded meanwhile.
 */
export class RealPaths {
  readonly #find: RealPath;
  readonly #recorder: Pick<Recorder, 'current'>;
  readonly #known = new Map<string, string>();
  readonly #places = new Map<string, Place>();
  #knownIn: Transaction | undefined;

  constructor(find: RealPath, recorder: Pick<Recorder, 'current'>) {
    this.#find = find;
    this.#recorder = recorder;
  }

  /** The real path of each of these. Nearly always there are none. */
  of(...wanted: readonly ReadonlySet<string>[]): ReadonlyMap<string, string> {
    if (wanted.every(({ size }) => size === 0)) return NOTHING;
    const found = new Map<string, string>();
    for (const paths of wanted) for (const path of paths) if (!found.has(path)) found.set(path, this.#real(path));
    return found;
  }

  #real(path: string): string {
    const transaction = this.#recorder.current;
    if (this.#knownIn !== transaction || this.#known.size >= MOST_PATHS) {
      this.#knownIn = transaction;
      this.#known.clear();
      this.#places.clear();
    }
    let real = this.#known.get(path);
    if (real === undefined) {
      real = this.#find(path, this.#places);
      this.#known.set(path, real);
    }
    return real;
  }
}

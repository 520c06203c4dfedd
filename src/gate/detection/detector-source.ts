import { setImmediate } from 'node:timers/promises';
import type { DetectionRules, Detector } from '../../core/detect/types.ts';

/** Loads the detector's code and creates one. */
export type LoadDetector = (rules: DetectionRules) => Promise<Detector>;

/** Detectors of this process, by the rules that they were made for: many connections share one policy. */
const made = new WeakMap<DetectionRules, Promise<Detector>>();

/** Called only when something is to be scanned, or held: most processes that clients start list a few tools and end. */
export const loadDetector: LoadDetector = (rules) => {
  const known = made.get(rules);
  if (known !== undefined) return known;
  const detector = make(rules);
  made.set(rules, detector);
  return detector;
};

/** Works in steps, so that passing messages do not wait for all of them. */
async function make(rules: DetectionRules): Promise<Detector> {
  // The pattern matcher takes longer to load than all the rest.
  const create =
    rules.patterns.length === 0
      ? (await import('../../core/detect/create-plain-detector.ts')).createPlainDetector
      : (await import('../../core/detect/create-detector.ts')).createDetector;
  await setImmediate();
  const detector = create(rules);
  await setImmediate();
  return detector;
}

/** Provides the detector for the policy's current rules once it is loaded. Nothing here throws. */
export class DetectorSource {
  readonly #rules: () => DetectionRules;
  readonly #load: LoadDetector;
  readonly #warn: (line: string) => void;
  #of: DetectionRules | undefined;
  #detector: Detector | undefined;
  #loading: Promise<void> | undefined;
  #hasFailed = false;

  constructor(rules: () => DetectionRules, warn: (line: string) => void, load: LoadDetector = loadDetector) {
    this.#rules = rules;
    this.#load = load;
    this.#warn = warn;
  }

  /** Undefined while it is loading, or if it can't be created. */
  get current(): Detector | undefined {
    this.#follow();
    return this.#detector;
  }

  /** True if no detector can be created for these rules. */
  get hasFailed(): boolean {
    this.#follow();
    return this.#hasFailed;
  }

  /** Resolves when `current` is final for these rules. */
  async load(): Promise<Detector | undefined> {
    while (this.current === undefined && !this.#hasFailed) {
      const rules = this.#rules();
      this.#loading ??= this.#load(rules)
        .then(
          (detector) => {
            if (this.#of === rules) this.#detector = detector;
          },
          (error: unknown) => {
            if (this.#of === rules) this.#hasFailed = true;
            this.#warn(`the detector failed, so nothing is scanned: ${String(error)}`);
          },
        )
        .finally(() => {
          this.#loading = undefined;
        });
      await this.#loading;
    }
    return this.#detector;
  }

  /** Follows the policy; an edit may leave its rules as they were. */
  #follow(): void {
    const rules = this.#rules();
    if (rules === this.#of) return;
    const isSame = this.#of !== undefined && JSON.stringify(this.#of) === JSON.stringify(rules);
    this.#of = rules;
    if (isSame) return;
    this.#detector = undefined;
    this.#hasFailed = false;
  }
}

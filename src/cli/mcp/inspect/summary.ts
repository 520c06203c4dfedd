import type { Detection } from '../../../core/detect/types.ts';
import { SEVERITIES, type Severity } from '../../../core/finding.ts';
import { countOf } from '../../terminal/layout.ts';
import type { Inspected } from './inspector.ts';
import type { ItemInput, Skipped } from './items.ts';

const PLURALS: Readonly<Partial<Record<ItemInput['kind'], string>>> = { instructions: 'instructions' };

/** Sums up what came of looking, in constant memory. */
export class Summary {
  readonly #threshold: Severity;
  readonly #kinds = new Map<ItemInput['kind'], number>();
  readonly #severities = new Map<Severity, number>();
  #suppressed = 0;
  #cut = 0;
  #skipped = 0;
  #missing = 0;

  constructor(threshold: Severity) {
    this.#threshold = threshold;
  }

  add({ item, findings, suppressed, isCut, skipped }: Inspected): void {
    this.#kinds.set(item.kind, (this.#kinds.get(item.kind) ?? 0) + 1);
    for (const { severity } of findings) this.#severities.set(severity, (this.#severities.get(severity) ?? 0) + 1);
    this.#suppressed += suppressed.length;
    this.#cut += isCut ? 1 : 0;
    this.#skipped += skipped.length;
  }

  skip(skipped: readonly Skipped[]): void {
    this.#missing += skipped.length;
  }

  /** The number of things that were inspected. */
  get count(): number {
    return this.#kinds.values().reduce((sum, count) => sum + count, 0);
  }

  /** True if there was nothing to inspect. */
  get isEmpty(): boolean {
    return this.#kinds.size === 0;
  }

  /** True if the policy acts on a finding. */
  get hasFindings(): boolean {
    return this.#countFrom(this.#threshold) > 0;
  }

  /** True if a text that a model may get to see could not be had. Images don't count, and a cut is told as a finding. */
  get isPartial(): boolean {
    return this.#missing > 0;
  }

  /** One line without a line end. */
  line(): string {
    if (this.isEmpty) return ['nothing was looked at: there is nothing in it', ...this.#left()].join('; ');
    const kinds = Array.from(this.#kinds, ([kind, count]) => countKind(kind, count));
    const above = this.#countFrom(this.#threshold);
    const below = this.#countFrom('low') - above;
    const found = above === 0 ? `nothing at or above ${this.#threshold}` : `${this.#breakdown()} at or above ${this.#threshold}`;
    return [
      `${kinds.join(', ')} looked at: ${found}`,
      ...(below === 0 ? [] : [`${countOf(below, 'finding')} below that`]),
      ...this.#left(),
    ].join('; ');
  }

  /** Texts on things that were suppressed or not inspected, so that they don't pass for clean. */
  #left(): string[] {
    return [
      ...(this.#suppressed === 0 ? [] : [`${this.#suppressed} suppressed by the policy`]),
      ...(this.#cut === 0 ? [] : [`${this.#cut} not looked at to the end`]),
      ...(this.#skipped + this.#missing === 0 ? [] : [`${this.#skipped + this.#missing} not looked at`]),
    ];
  }

  #countFrom(least: Severity): number {
    return this.#from(least).reduce((sum, severity) => sum + (this.#severities.get(severity) ?? 0), 0);
  }

  #breakdown(): string {
    const worst = this.#from(this.#threshold).toReversed();
    const parts = worst.flatMap((severity) => {
      const count = this.#severities.get(severity) ?? 0;
      return count === 0 ? [] : [`${count} ${severity}`];
    });
    return `${countOf(this.#countFrom(this.#threshold), 'finding')} (${parts.join(', ')})`;
  }

  #from(least: Severity): readonly Detection['severity'][] {
    return SEVERITIES.slice(SEVERITIES.indexOf(least));
  }
}

function countKind(kind: ItemInput['kind'], count: number): string {
  const thing = kind.replace('_', ' ');
  const plural = PLURALS[kind];
  return plural === undefined ? countOf(count, thing) : `${count === 1 ? '' : `${count} `}${plural}`;
}

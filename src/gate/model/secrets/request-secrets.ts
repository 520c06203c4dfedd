import { createHash } from 'node:crypto';
import { redactedMark } from '../../../core/dlp/redact-text.ts';
import type { SecretSpan } from '../../../core/dlp/secret-forms.ts';
import { applyEdits, wholeOf } from '../../../protocol/llm/json-text.ts';
import type { RequestPlace } from '../../../protocol/llm/model-api.ts';
import { type ModelTexts, type Shape, type TextPlace, visitTexts } from '../../../protocol/llm/texts/shape.ts';
import { pointerAt } from '../../../protocol/llm/texts/string-edits.ts';
import { findInValue, type FoundSecret, type StringSearch } from './find-in-string.ts';
import type { SessionTokens } from './session-tokens.ts';
import { LEAST_SOUGHT, SoughtValues } from './sought-values.ts';

/** The action on a secret in a request. */
export type RequestMode = 'alert' | 'redact' | 'tokenize';

/** Most parts of conversations, and most long strings, whose secrets are remembered; the oldest go first. */
const MOST_KNOWN = 8192;

/** Fewest characters of a string whose secrets are remembered: a shorter one is searched as fast as it is looked up. */
const LONG = 256;

/** Most findings that are remembered as told. */
const MOST_TOLD = 10_000;

/** Members of a tool's definition that are words for the model. */
const DESCRIBING: ReadonlySet<string | undefined> = new Set(['description', 'title', 'default', 'examples', 'enum']);

/** New secrets of one kind in a request. */
export interface NewSecrets {
  readonly kind: string;
  readonly count: number;
  /** JSON pointer to the first of them. */
  readonly place: string;
}

interface RequestSecretsOptions {
  readonly mode: RequestMode;
  readonly find: (text: string, name?: string) => readonly SecretSpan[];
  readonly findDisguised: NonNullable<StringSearch['findDisguised']>;
  /** Finds what the user's own patterns match: in definitions of tools, nothing else counts. */
  readonly findOwn: (text: string) => readonly SecretSpan[];
  readonly tokens: SessionTokens;
}

/** The secrets of a part of a conversation, at their places in it. */
type UnitSecrets = readonly FoundSecret[];

/** Finds and replaces the secrets in the requests of one session to models. The same history gives the same bytes each time. */
export class RequestSecrets {
  readonly #options: RequestSecretsOptions;
  readonly #units = new Map<string, UnitSecrets>();
  readonly #strings = new Map<string, readonly SecretSpan[]>();
  readonly #told = new Set<string>();
  /** The values that `redact` has removed: they are removed wherever they stand. */
  readonly #removed = new SoughtValues();

  constructor(options: RequestSecretsOptions) {
    this.#options = options;
  }

  get mode(): RequestMode {
    return this.#options.mode;
  }

  /**
   * Edits a request.
   *
   * @param text valid JSON
   * @returns the same text if nothing is replaced; and the secrets that were not told of before
   */
  edit(text: string, texts: ModelTexts, place: RequestPlace): { readonly text: string; readonly found: readonly NewSecrets[] } {
    const shape = (place === 'batch' ? texts.batch : undefined) ?? texts.request;
    const { mode, tokens } = this.#options;
    // Values that `redact` removed are removed in all later requests. A client knows a token's value once it was given it.
    const sought = mode === 'redact' ? this.#removed : new SoughtValues(tokens.sought);
    const first = this.#search(text, { shape, texts, sought });
    const { edits, units } = first.isPast ? this.#search(text, { shape, texts, sought }) : first;
    for (const [key, secrets] of units) keep(this.#units, key, secrets);
    if (edits.length === 0) return { text, found: [] };
    const found = this.#news(text, edits);
    return { text: this.#options.mode === 'alert' ? text : applyEdits(text, edits), found };
  }

  /**
   * Searches a request.
   *
   * @param sought gets the values that are found
   * @returns also its parts, which are remembered so that they stay as they were sent; `isPast`: a value was found that may stand in what
   * was searched before
   */
  #search(
    text: string,
    { shape, texts, sought }: { readonly shape: Shape; readonly texts: ModelTexts; readonly sought: SoughtValues },
  ) {
    const edits: FoundSecret[] = [];
    const units = new Map<string, UnitSecrets>();
    let hasSearched = false;
    let isPast = false;
    const known = (key: string, source: string, visit: () => UnitSecrets): UnitSecrets => {
      const digest = digestOf(`${key}\0${source}`);
      const remembered = this.#units.get(digest);
      hasSearched ||= remembered === undefined;
      const secrets = remembered ?? visit();
      units.set(digest, secrets);
      for (const secret of secrets) if (this.#learn(secret, sought) && hasSearched) isPast = true;
      return secrets;
    };
    visitTexts(text, wholeOf(text), shape, {
      toName: texts.toName,
      unit: (span, unit) => {
        const source = text.slice(span.start, span.end);
        const secrets = known(unit.deep ?? '', source, () => this.#unit(source, unit, { texts, sought }));
        for (const secret of secrets) edits.push(shifted(secret, span.start));
        return true;
      },
      place: (place) => {
        const source = text.slice(place.start, place.end);
        // Definitions have other secrets, and none that are sought.
        if (place.kind === 'definition') return void edits.push(...this.#string(text, place, sought));
        const inner = { ...place, ...wholeOf(source) };
        const secrets = known(`${place.kind}\0${place.name ?? ''}\0${place.isKey ?? ''}`, source, () =>
          this.#string(source, inner, sought),
        );
        for (const secret of secrets) edits.push(shifted(secret, place.start));
      },
    });
    return { edits, units, isPast };
  }

  #unit(
    source: string,
    unit: Shape,
    { texts, sought }: { readonly texts: ModelTexts; readonly sought: SoughtValues },
  ): UnitSecrets {
    const all: FoundSecret[] = [];
    visitTexts(
      source,
      wholeOf(source),
      { ...unit, isUnit: false },
      {
        toName: texts.toName,
        unit: () => false,
        place: (place) => {
          for (const secret of this.#string(source, place, sought)) all.push(secret);
        },
      },
    );
    return all;
  }

  #string(text: string, { kind, name, isKey = false, ...span }: TextPlace, sought: SoughtValues): readonly FoundSecret[] {
    const { findOwn, findDisguised } = this.#options;
    if (kind === 'definition' && !DESCRIBING.has(name)) return [];
    const search: StringSearch =
      kind === 'definition'
        ? { find: findOwn, sought: undefined }
        : { find: (string, of) => this.#find(string, of), findDisguised, sought };
    const found = findInValue(text, { span, name: kind === 'arguments' ? name : undefined, isKey, search });
    return found.map((secret) => ({ ...secret, text: this.#replacement(secret) }));
  }

  /** Searches a string once: each turn brings it again. */
  #find(text: string, name: string | undefined): readonly SecretSpan[] {
    const { find } = this.#options;
    if (text.length < LONG) return find(text, name);
    const key = digestOf(`${name ?? ''}\0${text}`);
    const spans = this.#strings.get(key) ?? find(text, name);
    keep(this.#strings, key, spans);
    return spans;
  }

  #replacement({ kind, value }: FoundSecret): string {
    const { mode, tokens } = this.#options;
    // The client would send a shorter value back without a sign of its being a secret.
    return mode === 'tokenize' && value.length >= LEAST_SOUGHT ? tokens.tokenOf(kind, value) : redactedMark(kind);
  }

  /** @returns true if it was not sought yet */
  #learn({ kind, value, text }: FoundSecret, sought: SoughtValues): boolean {
    const { mode, tokens } = this.#options;
    if (mode === 'alert' || value.length < LEAST_SOUGHT) return false;
    if (mode === 'tokenize') tokens.learn(text, { kind, value });
    return sought.add(value, kind);
  }

  #news(text: string, edits: readonly FoundSecret[]): readonly NewSecrets[] {
    const byKind = new Map<string, { count: number; readonly start: number }>();
    for (const { kind, value, start } of edits) {
      const key = this.#options.tokens.tokenOf(kind, value);
      if (this.#told.has(key)) continue;
      if (this.#told.size >= MOST_TOLD) this.#told.clear();
      this.#told.add(key);
      const known = byKind.get(kind) ?? { count: 0, start };
      known.count++;
      byKind.set(kind, known);
    }
    return Array.from(byKind, ([kind, { count, start }]) => ({ kind, count, place: this.#placeOf(text, start) }));
  }

  /** The JSON pointer to a secret. The names that lead there may be secrets, too. */
  #placeOf(text: string, start: number): string {
    const steps = pointerAt(text, start).split('/');
    return steps.map((step) => (this.#options.find(step).length === 0 ? step : '…')).join('/');
  }
}

/** Returns a key of a text that is not kept. */
function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64');
}

function shifted(secret: FoundSecret, by: number): FoundSecret {
  return { ...secret, start: secret.start + by, end: secret.end + by };
}

/** Remembers an entry as the newest one. */
function keep<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

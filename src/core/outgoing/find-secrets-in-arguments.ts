import type { SecretFinder } from '../dlp/find-secrets.ts';
import type { SecretSpan } from '../dlp/secret-forms.ts';
import { secretNameKind } from '../dlp/secret-name.ts';
import type { ArgumentSecret } from '../finding.ts';
import type { JsonObject } from '../json.ts';
import { type ArgumentText, argumentTexts, describePath } from './argument-texts.ts';
import { CountedSecrets } from './counted-secrets.ts';
import { codesOf, edgesOf, joined, masked, numbersIn, placeOf } from './joined-texts.ts';
import { UNREAD } from './compressed-texts.ts';
import { type Reading, readingsOf } from './disguises.ts';
import { isRandom, looksSecret, mayHaveCard, mayHaveDigitsOfCard, standsForSecret } from './looks-secret.ts';

/** Most findings of one call that are told; more say nothing new. */
const MOST_FOUND = 20;

/** The kind of a finding that nobody has read all of the arguments. */
const TOO_LONG = 'too_long';

/** The secrets that are searched for. */
export interface SoughtSecrets {
  readonly finder: SecretFinder;
  /** True if the name of an argument may tell that its value is secret. */
  readonly byName: boolean;
}

const NOTHING: readonly ArgumentSecret[] = [];

/**
 * Finds secrets in a call's arguments: as they are, by the name of the argument, in the usual encodings (several times over), compressed,
 * backwards, in pieces, and split over several arguments. Takes linear time.
 */
export function findSecretsInArguments(args: JsonObject, sought: SoughtSecrets): readonly ArgumentSecret[] {
  const { texts, isCut } = argumentTexts(args);
  if (texts.length === 0 && !isCut) return NOTHING;
  const search = new Search(texts, sought);
  search.plain();
  search.disguised();
  if (isCut) search.add({ kind: TOO_LONG, steps: [], spans: undefined });
  return search.found;
}

class Search {
  readonly found: ArgumentSecret[] = [];
  #texts: readonly ArgumentText[];
  /** All strings and names, one a line. */
  #all: string;
  readonly #sought: SoughtSecrets;
  readonly #counted: CountedSecrets;

  constructor(texts: readonly ArgumentText[], sought: SoughtSecrets) {
    this.#texts = texts;
    this.#all = joined(texts);
    this.#sought = sought;
    this.#counted = new CountedSecrets(sought.finder);
  }

  add({ kind, steps, spans, hiding }: Omit<ArgumentSecret, 'path'>): void {
    if (this.found.length >= MOST_FOUND) {
      // The rest could not be taken out.
      const last = this.found.pop();
      if (last !== undefined) this.found.push({ ...last, spans: undefined });
      return;
    }
    const path = describePath(steps, (name) => this.#counted.plain(name).length > 0 || this.#isDisguise(name));
    this.found.push({ kind, path, steps, spans, ...(hiding !== undefined && { hiding }) });
  }

  /** Finds what shows as it is. All texts together are looked at first, since most calls have no secret. */
  plain(): void {
    // A number that stands alone, or whose name tells about it, shows only by itself.
    const isFound = this.#texts.some(({ text }) => mayHaveCard(text)) || this.#counted.plain(this.#all).length > 0;
    for (const argument of this.#texts) {
      const { text, of, path, name } = argument;
      const named = this.#sought.byName && of !== 'key' ? this.#kindByName(argument) : undefined;
      // A form tells more than a name, but the name tells that all of the value is secret.
      const spans = isFound && of !== 'number' ? this.#counted.plain(text, of === 'key' ? undefined : name) : [];
      const [first] = spans;
      if (of === 'key') {
        if (first !== undefined) this.add({ kind: first.kind, steps: [...path, text], spans: undefined, hiding: 'key' });
      } else if (named !== undefined) {
        const kind = first?.kind ?? named;
        this.add({ kind, steps: path, spans: of === 'value' ? [{ start: 0, end: text.length, kind }] : undefined });
      } else if (first !== undefined) {
        const isSplit = this.#goesOn(argument, spans);
        const isWhole = !isSplit && !spans.some(({ end }) => INVISIBLE.test(text.slice(end, end + 2)));
        const rest = isSplit ? { hiding: 'split' } : {};
        this.add({ kind: first.kind, steps: path, spans: isWhole ? spans : undefined, ...rest });
      }
    }
  }

  /** Leaves out what was found, so that the same secret in disguise is found too: taking out one of them would not be enough. */
  #maskFound(): void {
    if (this.found.length === 0) return;
    const places = new Set(this.found.map(({ steps }) => JSON.stringify(steps)));
    this.#texts = this.#texts.flatMap((argument) => {
      const { text, of, path } = argument;
      const place = JSON.stringify(of === 'key' ? [...path, text] : path);
      if (!places.has(place)) return [argument];
      const rest = masked(text, of === 'key' ? undefined : this.#spansOf(argument));
      return rest === '' ? [] : [{ ...argument, text: rest }];
    });
    this.#all = joined(this.#texts);
  }

  /** The secrets that show in a string; undefined if all of it is one. */
  #spansOf(argument: ArgumentText): readonly SecretSpan[] | undefined {
    return this.#sought.byName && this.#kindByName(argument) !== undefined
      ? undefined
      : this.#counted.plain(argument.text, argument.name);
  }

  /** Finds what is disguised. */
  disguised(): void {
    this.#maskFound();
    let [isHidden, isCut] = [false, false];
    for (const reading of readingsOf(this.#all, this.#sought.finder.hasPatterns)) {
      isCut ||= reading.hiding === UNREAD;
      isHidden ||= this.#in(reading, this.#all) !== undefined;
    }
    if (isCut) this.add({ kind: TOO_LONG, steps: [], spans: undefined });
    const codes = codesOf(this.#texts);
    const [written] = codes === '' ? [] : this.#counted.plain(codes);
    if (written !== undefined) this.add({ kind: written.kind, steps: [], spans: undefined, hiding: 'split, codes' });
    const before = this.found.length;
    for (const argument of this.#texts)
      if (argument.of !== 'number' && (isHidden || (argument.name !== undefined && mayHaveDigitsOfCard(argument.text))))
        this.#disguisedIn(argument);
    this.#split(isHidden && this.found.length > before);
  }

  #disguisedIn({ text, of, path, name }: ArgumentText): void {
    for (const reading of readingsOf(text, this.#sought.finder.hasPatterns)) {
      const kind = this.#in(reading, text, name);
      if (kind === undefined) continue;
      this.add({ kind, steps: of === 'key' ? [...path, text] : path, spans: undefined, hiding: reading.hiding });
      return;
    }
  }

  /** The kind of the secret that shows in a reading of a text and not in the text itself. */
  #in(reading: Reading, whole: string, name?: string): string | undefined {
    return this.#counted.in(reading, name).find(({ start, end }) => {
      const secret = reading.text.slice(start, end);
      return !whole.includes(secret) && !(reading.of !== 'all' && this.#hasPartOf(whole, secret));
    })?.kind;
  }

  /** Finds a secret in the texts of several arguments, one behind the other. */
  #split(isHidden: boolean): void {
    const values = this.#texts.filter(({ of }) => of === 'value');
    if (values.length < 2) return;
    for (const { digits, name, path, isWhole } of numbersIn(values)) {
      const [card] = isWhole ? this.#counted.plain(digits, name) : this.#counted.sure(digits, name);
      if (card?.kind === 'card') return this.add({ kind: card.kind, steps: path, spans: undefined, hiding: 'split' });
    }
    const all = values.map(({ text }) => edgesOf(text)).join('');
    for (const reading of this.#readingsOfSplit(all, isHidden)) {
      const span = this.#counted.in(reading).find(({ start, end }) => {
        const secret = reading.text.slice(start, end);
        return !values.some(({ text }) => text.includes(secret) || this.#hasPartOf(text, secret));
      });
      if (span === undefined) continue;
      const hiding = reading.hiding === '' ? 'split' : `split, ${reading.hiding}`;
      const steps = reading.hiding === '' ? placeOf(values, span.start) : [];
      this.add({ kind: span.kind, steps, spans: undefined, hiding });
      return;
    }
  }

  *#readingsOfSplit(all: string, isHidden: boolean): Generator<Reading, void> {
    yield { text: all, hiding: '', of: 'loose' };
    if (!isHidden) yield* readingsOf(all, this.#sought.finder.hasPatterns);
  }

  /** True if a word is a secret of its own in disguise. */
  #isDisguise(word: string): boolean {
    return readingsOf(word, this.#sought.finder.hasPatterns).some((reading) => this.#in(reading, word) !== undefined);
  }

  /** The kind that the name of an argument tells of, if its value may be a secret. */
  #kindByName({ text, name }: ArgumentText): string | undefined {
    if (name === undefined || secretNameKind(name) === undefined || standsForSecret(text)) return undefined;
    const kind = this.#sought.finder.find(text, name)[0]?.kind;
    // An address without a password in it is no secret.
    return kind !== undefined && kind !== 'connection_string' && looksSecret(text, kind) ? kind : undefined;
  }

  /** True if a text has the beginning of that secret, and it was found there already. */
  #hasPartOf(text: string, secret: string): boolean {
    return this.#counted.plain(text).some(({ start, end }) => secret.startsWith(text.slice(start, end)));
  }

  /** True if the last secret of a text goes on in another argument: then taking it out would leave the rest. */
  #goesOn(argument: ArgumentText, spans: readonly SecretSpan[]): boolean {
    const last = spans.at(-1);
    if (last === undefined || last.end < argument.text.length) return false;
    const at = this.#texts.indexOf(argument);
    const around = [...this.#texts.slice(at + 1, at + 1 + MOST_AROUND), ...this.#texts.slice(Math.max(0, at - MOST_AROUND), at)];
    const others = around.filter(({ of }) => of === 'value');
    if (others.length === 0) return false;
    if (last.kind === 'private_key') return !argument.text.includes('-----END');
    const end = argument.text.slice(last.start);
    return others.some(({ text }) =>
      [/^[\w+/=.~-]{6,}/, /[\w+/=.~-]{6,}$/].some((edge) => {
        const word = edge.exec(text.slice(0, LONGEST_WORD))?.[0] ?? '';
        if (!isRandom(word) || this.#counted.plain(word).length > 0 || this.#isDisguise(word)) return false;
        const whole = this.#counted.plain(end + word).find(({ start }) => start === 0);
        return whole !== undefined && whole.end > end.length;
      }),
    );
  }
}

/** Matches a character that nobody sees: a secret may go on behind it. */
const INVISIBLE = /^[\p{Cf}\p{Mn}\p{Cc}\u115f\u1160\u3164\uffa0](?<![\t\n\r])/u;

/** Most arguments on each side, and most characters of each, in which a secret is followed that goes on. */
const MOST_AROUND = 64;
const LONGEST_WORD = 4096;

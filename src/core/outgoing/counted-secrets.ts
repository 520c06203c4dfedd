import { findForms } from '../dlp/find-forms.ts';
import type { SecretFinder } from '../dlp/find-secrets.ts';
import type { SecretSpan } from '../dlp/secret-forms.ts';
import { secretNameKind } from '../dlp/secret-name.ts';
import type { Reading } from './disguises.ts';
import { isRandom, standsForSecret } from './looks-secret.ts';

/** Kinds that words around them make: they say little in a text that is read in another way. */
const LOOSE_KINDS: ReadonlySet<string> = new Set(['password', 'url_password', 'bearer_token']);

/** The secrets that count in a text, by how the text was read. Marks and tokens in their place never do. */
export class CountedSecrets {
  readonly #finder: SecretFinder;

  constructor(finder: SecretFinder) {
    this.#finder = finder;
  }

  /** Finds what shows as it is. @param name of the value, which tells about it, but not that all of it is a secret */
  plain(text: string, name?: string): readonly SecretSpan[] {
    const told = name !== undefined && secretNameKind(name) === undefined ? name : undefined;
    return this.#finder.find(text, told).filter(({ start, end }) => !standsForSecret(text.slice(start, end)));
  }

  /** Finds what chance hardly makes, without keys. */
  sure(text: string, name?: string): readonly SecretSpan[] {
    return this.#finder.findSure(text, name).filter(({ start, end }) => !standsForSecret(text.slice(start, end)));
  }

  /** Finds keys whose form alone tells them, and that chance has not made. */
  byForm(text: string): readonly SecretSpan[] {
    return findForms(text, false).filter(({ start, end, kind }) => {
      const secret = text.slice(start, end);
      return !LOOSE_KINDS.has(kind) && isRandom(secret) && this.plain(secret).length > 0;
    });
  }

  /** Finds what counts in a reading. */
  in({ text, of }: Reading, name?: string): readonly SecretSpan[] {
    if (of === 'all') return this.plain(text);
    const sure = this.sure(text, name);
    return of === 'sure' ? sure : [...this.byForm(text), ...sure];
  }
}

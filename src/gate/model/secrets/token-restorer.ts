import { findTokens, openTokenStart } from '../../../core/dlp/tokens.ts';
import { applyEdits, type Edit, stringOf, type TextSpan, wholeOf } from '../../../protocol/llm/json-text.ts';
import { visitStrings } from '../../../protocol/llm/texts/strings.ts';
import { escapeDoubtful } from '../../../protocol/sse/event.ts';
import { AddressContext } from './address-context.ts';
import { escapedFor, JsonContext } from './json-context.ts';
import type { SessionTokens } from './session-tokens.ts';

/** Tokens that stand for no known secret, by the reason. */
export interface UnknownTokens {
  readonly unknown: number;
  readonly miswritten: number;
}

/** Puts the secrets back where a model's answer has their tokens. Other tokens stay, and are counted. */
export class TokenRestorer {
  readonly #tokens: SessionTokens;
  readonly #unknown = new Map<string, boolean>();

  constructor(tokens: SessionTokens) {
    this.#tokens = tokens;
  }

  /** The tokens of the answer so far that stand for nothing. */
  get unknown(): UnknownTokens {
    const valid = [...this.#unknown.values()].filter(Boolean).length;
    return { unknown: valid, miswritten: this.#unknown.size - valid };
  }

  /**
   * Restores a text.
   *
   * @param context of words that a client shows, which follows the text: the client might load an address, such as that of a picture, and so
   * a token in one stays; JSON stays JSON
   */
  restore(text: string, context?: WordsContext): string {
    const edits: Edit[] = [];
    let at = 0;
    for (const { start, end, token, isValid } of findTokens(text)) {
      context?.push(text.slice(at, start));
      at = end;
      const mayRestore = context?.address.isInAddress !== true;
      const levels = context?.json.levels ?? 0;
      context?.push(token);
      const value = isValid ? this.#tokens.restore(token) : undefined;
      if (value === undefined) this.#unknown.set(token, isValid);
      else if (mayRestore) edits.push({ start, end, text: escapedFor(value, levels) });
    }
    context?.push(text.slice(at));
    return edits.length === 0 ? text : applyEdits(text, edits);
  }

  /** Builds the edit of a string in a JSON text; none if nothing in it is restored. */
  editString(text: string, span: TextSpan): readonly Edit[] {
    const words = stringOf(text, span);
    const restored = words === undefined ? undefined : this.restore(words, new WordsContext());
    return restored === undefined || restored === words ? [] : [{ ...span, text: formatString(restored) }];
  }

  /** Restores a call's arguments: JSON, or any text. */
  restoreArguments(text: string): string {
    return isJson(text) ? this.restoreJson(text) : this.restore(text);
  }

  /** Restores the strings of a JSON text, and of JSON in them, so that it stays JSON. */
  restoreJson(text: string): string {
    const edits: Edit[] = [];
    visitStrings(text, wholeOf(text), ({ span, isKey }) => {
      if (isKey) return;
      const words = stringOf(text, span) ?? '';
      if (findTokens(words).length === 0) return;
      const restored = this.restoreArguments(words);
      if (restored !== words) edits.push({ ...span, text: formatString(restored) });
    });
    return edits.length === 0 ? text : applyEdits(text, edits);
  }
}

/** Follows a text that a client shows. */
class WordsContext {
  readonly address = new AddressContext();
  readonly json = new JsonContext();

  get isOpen(): boolean {
    return this.address.isOpen || this.json.isOpen;
  }

  push(text: string): void {
    this.address.push(text);
    this.json.push(text);
  }
}

/** A text that comes in pieces: what may be the beginning of a token waits for the next piece. */
export class RestoredText {
  readonly #restorer: TokenRestorer;
  #open = '';
  readonly #context = new WordsContext();

  constructor(restorer: TokenRestorer) {
    this.#restorer = restorer;
  }

  /** True while something is held back. */
  get isOpen(): boolean {
    return this.#open !== '';
  }

  /** True while the next piece depends on those before it: a part of a token is held back, or an address goes on. */
  get isUnfinished(): boolean {
    return this.isOpen || this.#context.isOpen;
  }

  /** Returns what may go on. @param isLast true if nothing follows */
  push(piece: string, isLast = false): string {
    const text = this.#open + piece;
    const end = isLast ? text.length : openTokenStart(text);
    this.#open = text.slice(end);
    return this.#restorer.restore(text.slice(0, end), this.#context);
  }
}

/** Formats a JSON string that no reader of a stream sees a line end in. */
export function formatString(text: string): string {
  return escapeDoubtful(JSON.stringify(text));
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A text that is not JSON need not stay so.
    return false;
  }
}

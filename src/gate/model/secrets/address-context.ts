/** Matches the beginning of an address that some client may load; HTML and Markdown need no scheme. */
const ADDRESS = /:\/\/|^\/\/|[?#/\\]|(?<![a-z\d])(?:data|mailto):/i;

/** Matches a word that an address begins with which may have blanks in it. */
const SCHEME = /(?<![a-z\d])(?:https?|ftps?|wss?):$|:[/\\][/\\]$/i;

/** Matches the end of a word that more letters and a colon make the beginning of an address. */
const BEGINS_SCHEME =
  /(?<![a-z\d])(?:h(?:t(?:t(?:ps?)?)?)?|f(?:t(?:ps?)?)?|w(?:ss?)?|d(?:a(?:ta?)?)?|m(?:a(?:i(?:l(?:to?)?)?)?)?)$/i;

/** Matches the end of a word that is an HTML entity for a sign of an address, and that sign's names. */
const ENTITY = /&(?:(sol|#0*47|#x0*2f)|(colon|#0*58|#x0*3a)|(?:bsol|#0*92|#x0*5c));$/i;

/** Characters that a word of an address ends at. */
const WORD_END = /[\s<>"'`()[\]{}|]/;

/** Most characters of a word that are kept. */
const MOST_WORD = 256;

/**
 * Follows a text, and tells whether its end may be within an address: in the target of a link or a picture in Markdown, in a tag of HTML, in
 * a definition of a reference, behind a scheme up to the line's end, or in a word with a sign of an address. A client may load such an
 * address, or a person may click it.
 */
export class AddressContext {
  /** The last characters up to what ends a word. */
  #word = '';
  #last = '';
  /** Open parentheses of a link's target. */
  #parens = 0;
  /** True while the target stands in angle brackets; undefined before its first character. */
  #isAngled: boolean | undefined;
  #isTag = false;
  /** The quote around an attribute's value. */
  #quote = '';
  /** The last character in a tag that is no blank. */
  #lastInTag = '';
  /** `address`: up to the line's end. `reference`: also past it, as nothing stands there yet. */
  #line: 'none' | 'address' | 'reference' = 'none';
  /** The same, before the target. */
  #lineBefore: 'none' | 'address' | 'reference' = 'none';
  /** True if nothing but blanks stands in the line so far. */
  #isBlank = true;

  /** True if what comes next may be a part of an address. */
  get isInAddress(): boolean {
    return this.#parens > 0 || this.#isTag || this.#line !== 'none' || ADDRESS.test(this.#word);
  }

  /** True if what comes next depends on what came. */
  get isOpen(): boolean {
    if (this.isInAddress || '<]:&'.includes(this.#last || ' ')) return true;
    return this.#word.includes('&') || BEGINS_SCHEME.test(this.#word);
  }

  push(text: string): void {
    for (let at = 0; at < text.length;) {
      const end = this.#parens === 0 && !this.#isTag && this.#last !== '<' ? endOfName(text, at) : at;
      if (end > at) {
        this.#addName(text.slice(at, end));
        at = end;
      } else this.#add(text.charAt(at++));
    }
  }

  /** Adds letters, digits and hyphens at once, which end no word and begin nothing: most of a text is that. */
  #addName(name: string): void {
    this.#isBlank = false;
    if (this.#line === 'reference') this.#line = 'address';
    this.#word = cutWord(this.#word + name);
    this.#last = name.charAt(name.length - 1);
  }

  #add(character: string): void {
    // A target may be none, and so may a tag: each is followed whatever the other is.
    if (this.#parens > 0) this.#addToTarget(character);
    else if (character === '(' && this.#last === ']') {
      this.#parens = 1;
      this.#isAngled = undefined;
      this.#lineBefore = this.#line;
    }
    if (this.#isTag) this.#addToTag(character);
    else if (this.#last === '<' && /[a-z/!?]/i.test(character)) {
      this.#isTag = true;
      this.#quote = '';
    }
    this.#addToLine(character);
    this.#addToWord(character);
    // An escaped backslash escapes nothing.
    this.#last = character === '\\' && this.#last === '\\' ? '' : character;
  }

  #addToTarget(character: string): void {
    if (this.#last === '\\') return;
    if (this.#isAngled === undefined && !/\s/.test(character)) this.#isAngled = character === '<';
    if (this.#isAngled === true) {
      if (character === '>' || character === '\n') this.#isAngled = false;
    } else if (character === '(') this.#parens += 1;
    else if (character === ')') this.#parens -= 1;
    // A link has no empty line.
    if (character === '\n' && this.#isBlank) this.#parens = 0;
    if (this.#parens === 0) this.#line = this.#lineBefore;
  }

  #addToTag(character: string): void {
    if (this.#quote !== '') {
      if (character === this.#quote) this.#quote = '';
    } else if (character === '>') this.#isTag = false;
    else if ((character === '"' || character === "'") && this.#lastInTag === '=') this.#quote = character;
    if (!/\s/.test(character)) this.#lastInTag = character;
  }

  #addToLine(character: string): void {
    if (character === '\n') {
      if (this.#line !== 'reference' || this.#isBlank) this.#line = 'none';
      this.#isBlank = true;
    } else if (!/\s/.test(character)) {
      this.#isBlank = false;
      if (character === ':' && this.#last === ']') this.#line = 'reference';
      else if (this.#line === 'reference') this.#line = 'address';
    }
  }

  #addToWord(character: string): void {
    if (WORD_END.test(character)) {
      this.#word = '';
      return;
    }
    let word = this.#word + character;
    if (character === ';')
      word = word.replace(ENTITY, (_, slash, colon) => (slash === undefined && colon !== undefined ? ':' : '/'));
    if (/[:/\\;]/.test(character) && this.#line === 'none' && SCHEME.test(word)) this.#line = 'address';
    this.#word = cutWord(word);
  }
}

function cutWord(word: string): string {
  if (word.length <= MOST_WORD) return word;
  return ADDRESS.test(word) ? '//' : word.slice(-MOST_WORD / 2);
}

/** The end of a run of ASCII letters, digits and hyphens that begins here. */
function endOfName(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    if (!isLetter && !(code >= 0x30 && code <= 0x39) && code !== 0x2d) break;
  }
  return at;
}

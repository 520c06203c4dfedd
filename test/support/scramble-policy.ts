import * as fc from 'fast-check';
import { type AST, parseTomlSyntax } from '../../src/core/policy/toml-layout.ts';

export interface Scrambled {
  readonly text: string;
  /** Comments that were put in, each another one. */
  readonly comments: readonly string[];
}

export interface Scrambling {
  /** Only what stands within a line and means nothing. */
  readonly onlySpaces?: boolean;
}

/** A policy as careless people would write it: the same statements, with other spaces, line ends, empty lines, comments and order of keys. */
export function scrambled(
  policies: readonly string[],
  { onlySpaces = false }: Scrambling = {},
): fc.Arbitrary<Scrambled & { readonly original: string }> {
  const dice = fc.infiniteStream(fc.nat({ max: 99 }));
  return fc
    .record({ original: fc.constantFrom(...policies), dice, isWindows: fc.boolean(), hasBom: fc.boolean() })
    .map((drawn) => {
      const writer = new Scrambler(drawn.original, drawn.dice, onlySpaces);
      const { text, comments } = writer.run();
      const ended = drawn.isWindows && !onlySpaces ? text.replaceAll('\n', '\r\n') : text;
      return { original: drawn.original, text: drawn.hasBom && !onlySpaces ? `\uFEFF${ended}` : ended, comments };
    });
}

class Scrambler {
  readonly #source: string;
  readonly #dice: Iterator<number>;
  readonly #onlySpaces: boolean;
  readonly #comments: string[] = [];

  constructor(source: string, dice: Iterable<number>, onlySpaces: boolean) {
    this.#source = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
    this.#dice = dice[Symbol.iterator]();
    this.#onlySpaces = onlySpaces;
  }

  run(): Scrambled {
    const program = parseTomlSyntax(this.#source);
    if (program === undefined) throw new Error('only TOML can be scrambled');
    let text = '';
    let lead: AST.TOMLKeyValue[] = [];
    for (const node of program.body[0].body) {
      if (node.type === 'TOMLKeyValue') lead.push(node);
      else {
        text += this.#pairs(lead);
        lead = [];
        const brackets = node.kind === 'array' ? ['[[', ']]'] : ['[', ']'];
        const header = `${brackets[0]}${this.#spaces()}${this.#raw(node.key)}${this.#spaces()}${brackets[1]}`;
        text += this.#line(header) + this.#pairs(node.body);
      }
    }
    text += this.#pairs(lead) + this.#between();
    return { text, comments: this.#comments };
  }

  #pairs(pairs: readonly AST.TOMLKeyValue[]): string {
    const shuffled = this.#onlySpaces
      ? pairs
      : pairs
          .map((pair) => ({ pair, at: this.#roll() }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ pair }) => pair);
    return shuffled.map((pair) => this.#line(this.#pair(pair))).join('');
  }

  #pair({ key, value }: AST.TOMLKeyValue): string {
    return `${this.#raw(key)}${this.#spaces()}=${this.#spaces()}${this.#value(value)}`;
  }

  #value(node: AST.TOMLContentNode): string {
    if (node.type === 'TOMLArray')
      return this.#list(
        '[]',
        node.elements.map((element) => this.#value(element)),
      );
    if (node.type === 'TOMLInlineTable')
      return this.#list(
        '{}',
        node.body.map((pair) => this.#pair(pair)),
      );
    return this.#raw(node);
  }

  #list(brackets: string, items: readonly string[]): string {
    const isTall = brackets === '[]' || this.#chance(10);
    const gap = (): string => (isTall ? this.#within() : this.#spaces());
    const comma = isTall && items.length > 0 && this.#chance(30) && !this.#onlySpaces ? `,${gap()}` : '';
    return `${brackets[0]}${gap()}${items.map((item, index) => `${index === 0 ? '' : `,${gap()}`}${item}${gap()}`).join('')}${comma}${brackets[1]}`;
  }

  /** What may stand between two things in a list. */
  #within(): string {
    if (this.#onlySpaces) return this.#spaces();
    if (this.#chance(80)) return this.#spaces();
    const comment = this.#chance(40) ? this.#comment() : '';
    return `${this.#spaces()}${comment}\n${this.#chance(20) ? '\n' : ''}${this.#spaces()}`;
  }

  #line(text: string): string {
    const behind = !this.#onlySpaces && this.#chance(15) ? `${this.#spaces()}${this.#comment()}` : this.#spaces();
    return `${this.#between()}${this.#spaces()}${text}${behind}\n`;
  }

  /** Empty lines and comments between two statements. */
  #between(): string {
    if (this.#onlySpaces) return '';
    let text = '';
    while (this.#chance(35)) text += this.#chance(50) ? `${this.#spaces()}\n` : `${this.#spaces()}${this.#comment()}\n`;
    return text;
  }

  #comment(): string {
    const comment = `# c${this.#comments.length} = "[x]"`;
    this.#comments.push(comment);
    return `${comment}${this.#spaces()}`;
  }

  #spaces(): string {
    return [' ', '', '', '\t', '   '][this.#roll() % 5] ?? '';
  }

  #chance(percent: number): boolean {
    return this.#roll() < percent;
  }

  #roll(): number {
    return Number(this.#dice.next().value);
  }

  #raw({ range }: AST.TOMLKey | AST.TOMLContentNode): string {
    return this.#source.slice(...range);
  }
}

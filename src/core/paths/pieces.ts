/** Characters of a piece: small enough to live among V8's young objects, so that millions of them never pile up. */
export const PIECE = 8192;

/** Makes another text out of one that comes in pieces. */
export interface Stage {
  /** Takes a piece and returns what can be said of it already. */
  push(piece: string): string;
  /** The rest. */
  end(): string;
}

/** One stage after the other. */
export function chainStages(stages: readonly Stage[]): Stage {
  const pushFrom = (first: number, piece: string): string =>
    stages.slice(first).reduce((text, stage) => (text === '' ? '' : stage.push(text)), piece);
  return {
    push: (piece) => pushFrom(0, piece),
    end: () => stages.map((stage, at) => pushFrom(at + 1, stage.end())).join(''),
  };
}

/** The text in pieces, none of which ends within a surrogate pair. */
export function* cutIntoPieces(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE, text.length);
    if (end < text.length && isSurrogate(text, end - 1, 0xd800) && isSurrogate(text, end, 0xdc00)) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isSurrogate(text: string, at: number, half: 0xd800 | 0xdc00): boolean {
  return (text.charCodeAt(at) & 0xfc00) === half;
}

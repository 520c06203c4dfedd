import type { GlobRun } from './glob-automaton.ts';

/** `**text**`: is the text anywhere in the pieces, across their borders too? */
export function openIncludes(text: string): GlobRun {
  const most = text.length - 1;
  let before = '';
  let isFound = false;
  return {
    feed(piece) {
      isFound ||= piece.includes(text) || (before !== '' && (before + piece.slice(0, most)).includes(text));
      before = endOf(before, piece, most);
      return isFound ? true : undefined;
    },
    end: () => isFound,
  };
}

/** `**text`: do the pieces end with the text? */
export function openEnding(text: string): GlobRun {
  let ending = '';
  return {
    feed(piece) {
      ending = endOf(ending, piece, text.length);
      return undefined;
    },
    end: () => ending === text,
  };
}

/** The last characters of what came before and the piece, at most so many. */
function endOf(before: string, piece: string, most: number): string {
  if (most === 0) return '';
  return piece.length >= most ? piece.slice(-most) : (before + piece).slice(-most);
}

import type { PathContext } from './absolute-path.ts';
import type { Pieces } from './pieces.ts';

/** Folds a path as the platform compares file names: case and Unicode form on macOS, case on Windows. */
export function foldPath(path: string, platform: PathContext['platform']): string {
  if (platform === 'posix') return path;
  const text = platform === 'macos' ? path.normalize('NFC') : path;
  // File systems fold both ways: `\u017F` is an s in another case, which lower case alone does not say.
  return text.toUpperCase().toLowerCase();
}

/** `foldPath` for a text in pieces. What comes out is cut elsewhere: how a letter is folded may depend on those beside it. */
export function* foldPieces(pieces: Pieces, platform: PathContext['platform']): Generator<string, void> {
  let held = '';
  for (const piece of pieces) {
    let at = piece.length - 1;
    while (at >= 0 && !isApart(piece.charCodeAt(at))) at -= 1;
    if (at === -1) held += piece;
    else {
      yield foldPath(held + piece.slice(0, at), platform);
      held = piece.slice(at);
    }
  }
  yield foldPath(held, platform);
}

/**
 * Tells whether a text may be cut before a character. ASCII composes with nothing before it; what is neither a letter nor passed over
 * beside one (`'.:^` and the grave) parts words (Unicode §3.13, Final_Sigma).
 */
function isApart(code: number): boolean {
  if (code >= 0x80 || code === 0x27 || code === 0x2e || code === 0x3a || code === 0x5e || code === 0x60) return false;
  const letter = code | 0x20;
  return letter < 0x61 || letter > 0x7a;
}

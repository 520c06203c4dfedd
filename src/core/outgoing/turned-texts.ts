import { type NumberText, numbersClosedUp } from './number-texts.ts';
import type { Screened } from './screen.ts';

/** A text without an encoding that chance may make, and what to look for in it. */
export interface TurnedText extends NumberText {
  /** `loose`: runs that may be keys. `sure`: a text in which they are not looked for again. */
  readonly of: 'loose' | 'sure';
}

/** The runs that may be keys, and the whole text where it may have other secrets: backwards, in rot13, and with its digits closed up. */
export function turnedTexts(text: string, { tokens }: Pick<Screened, 'tokens'>, hasPatterns: boolean): readonly TurnedText[] {
  const found: TurnedText[] = [];
  if (tokens !== '') {
    found.push({ text: reversed(tokens), hiding: 'reversed', of: 'loose' });
    found.push({ text: rotated(tokens), hiding: 'rot13', of: 'loose' });
  }
  const numbers = numbersClosedUp(text);
  for (const each of numbers) found.push({ ...each, of: 'sure' });
  if (hasPatterns || numbers.length > 0) found.push({ text: reversed(text), hiding: 'reversed', of: 'sure' });
  if (hasPatterns) found.push({ text: rotated(text), hiding: 'rot13', of: 'sure' });
  return found;
}

/** Characters up to which a loop takes less time than a buffer, which has to be freed. */
const SHORT = 256;

/** The text backwards. */
export function reversed(text: string): string {
  if (text.length <= SHORT) {
    let turned = '';
    for (let at = text.length - 1; at >= 0; at -= 1) turned += text.charAt(at);
    return turned;
  }
  return Buffer.from(Buffer.from(text, 'utf16le').swap16().toReversed()).toString('utf16le');
}

function rotated(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCharCode((code | 0x20) < 0x6e ? code + 13 : code - 13);
  });
}

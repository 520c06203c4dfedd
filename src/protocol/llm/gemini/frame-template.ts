import { BytesTemplate, type TemplateValue } from '../../sse/bytes-template.ts';
import { isPlainFrame } from './plain-frame.ts';

const QUOTE = 0x22;

/**
 * Recognises events without calls as `isPlainFrame` does. Most of them are the one before with other words and counts, and need no more than to be
 * compared with that.
 */
export class FrameTemplate {
  readonly #known = new BytesTemplate();

  isPlain(bytes: Buffer, start: number, end: number): boolean {
    if (this.#known.match(bytes, start, end) === end) return true;
    const cuts: number[] = [];
    if (!isPlainFrame(bytes, start, end, cuts)) return false;
    const values: TemplateValue[] = [];
    for (let i = 0; i < cuts.length; i += 2) {
      const [from, to] = [cuts[i] as number, cuts[i + 1] as number];
      values.push({ kind: bytes[from] === QUOTE ? 'string' : 'digits', start: from, end: to });
    }
    this.#known.learn(bytes, { start, end }, values);
    return true;
  }
}

import { displayWidth, visible } from './text.ts';

/** Columns for each level, and levels beyond which lines move no further to the right. */
const INDENT = 2;
const MOST_LEVELS = 16;

/**
 * JSON text as lines for a person to read, none wider than `width` columns: one member a line, everything in it visible. The text may
 * end anywhere, as one does that was cut.
 */
export function layoutJson(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  let inString = false;
  const end = (): void => {
    if (line !== '') lines.push(...wrap(visible(line), width, Math.min(depth, MOST_LEVELS) * INDENT));
    line = '';
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    if (inString) {
      // The text up to the end of the string, or to the next escape.
      const stop = nextStop(text, i);
      line += text.slice(i, stop + 1);
      if (text[stop] === '\\') line += text[stop + 1] ?? '';
      else inString = false;
      i = text[stop] === '\\' ? stop + 1 : stop;
    } else if (character === '{' || character === '[') {
      line += character;
      const closer = text[i + 1];
      if (closer === '}' || closer === ']') {
        line += closer;
        i += 1;
      } else {
        end();
        depth += 1;
      }
    } else if (character === '}' || character === ']') {
      end();
      depth -= 1;
      line = character;
    } else if (character === ',') {
      line += character;
      end();
    } else {
      line += character === ':' ? ': ' : character;
      inString = character === '"';
    }
  }
  end();
  return lines;
}

/** The index of a string's next quote or escape; the end of the text if there is none. */
function nextStop(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const character = text[i];
    if (character === '"' || character === '\\') return i;
  }
  return text.length;
}

/** Cuts a line into several that fit, all of them indented. */
export function wrap(text: string, width: number, indent = 0): string[] {
  const room = Math.max(8, width - indent);
  const margin = ' '.repeat(Math.max(0, Math.min(indent, width - 8)));
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const character of text) {
    const columns = displayWidth(character);
    if (used + columns > room) {
      lines.push(margin + line);
      line = '';
      used = 0;
    }
    line += character;
    used += columns;
  }
  lines.push(margin + line);
  return lines;
}

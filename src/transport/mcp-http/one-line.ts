const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/**
 * A JSON text in one line, which is what the gate takes. Outside of strings, where alone they are allowed, line ends mean as much as spaces do.
 *
 * @returns the same bytes where they have no line end, else a copy of the same length
 */
export function toOneLine(text: Buffer): Buffer {
  if (!text.includes(LINE_FEED) && !text.includes(CARRIAGE_RETURN)) return text;
  const line = Buffer.from(text);
  for (let at = 0; at < line.length; at++) if (line[at] === LINE_FEED || line[at] === CARRIAGE_RETURN) line[at] = SPACE;
  return line;
}

/** Lines of the gate's as one body; what is in several is in one array. @param isBatch also one alone is an array */
export function toBody(lines: string, isBatch: boolean): string {
  const messages = lines.split('\n').filter((line) => line !== '');
  return messages.length === 1 && !isBatch ? (messages[0] ?? '') : `[${messages.map(elementsOf).join(',')}]`;
}

/** The elements of an array without its brackets; anything else as it is. */
function elementsOf(line: string): string {
  return line.startsWith('[') ? line.slice(1, -1) : line;
}

/** A text that is no message, such as an error page, as a message that the gate can judge. */
interface LooseText {
  /** An error that answers nothing, with the text as its data. */
  readonly line: Buffer;
  /** What is left of the text where the gate has another line go on in place of this one. */
  readonly restOf: (line: string) => Buffer;
}

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

/**
 * Makes a message of a text that a remote server sent outside of messages: clients put the bodies of errors into what they tell the model. JSON stays
 * JSON, so that what is in its strings is read as that.
 */
export function toLooseText(text: Buffer): LooseText {
  const isData = isJson(text);
  const data = isData ? toOneLine(text).toString() : JSON.stringify(text.toString());
  return {
    line: Buffer.from(`{"jsonrpc":"2.0","error":{"code":0,"message":"","data":${data}}}`),
    restOf(line) {
      const { error } = JSON.parse(line) as { readonly error: { readonly data: unknown } };
      return Buffer.from(isData || typeof error.data !== 'string' ? JSON.stringify(error.data) : error.data);
    },
  };
}

function isJson(text: Buffer): boolean {
  try {
    JSON.parse(text.toString());
    return true;
  } catch {
    // Words, for the most part.
    return false;
  }
}

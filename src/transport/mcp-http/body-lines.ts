/** A text that is not a message, such as an error page, wrapped so that the gate can judge it. */
interface LooseText {
  /** An error without id, with the text as its data. */
  readonly line: Buffer;
  /** Extracts the text from a line that the gate puts in its place. */
  readonly restOf: (line: string) => Buffer;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/**
 * Puts a JSON text on one line, as the gate requires. JSON allows line ends only outside of strings, where they mean the same as spaces.
 *
 * @returns the same bytes if they have no line end, else a copy of the same length
 */
export function toOneLine(text: Buffer): Buffer {
  if (!text.includes(LINE_FEED) && !text.includes(CARRIAGE_RETURN)) return text;
  const line = Buffer.from(text);
  for (let at = 0; at < line.length; at++) if (line[at] === LINE_FEED || line[at] === CARRIAGE_RETURN) line[at] = SPACE;
  return line;
}

/** Joins the gate's lines into one body; several become one array. @param isBatch also puts a single one into an array */
export function toBody(lines: string, isBatch: boolean): string {
  const messages = lines.split('\n').filter((line) => line !== '');
  return messages.length === 1 && !isBatch ? (messages[0] ?? '') : `[${messages.map(elementsOf).join(',')}]`;
}

/** Returns the elements of an array without its brackets; anything else unchanged. */
function elementsOf(line: string): string {
  return line.startsWith('[') ? line.slice(1, -1) : line;
}

/**
 * Wraps a text that a remote server sent outside of messages: clients put error bodies into what they tell the model. JSON stays JSON, so
 * that its strings are read as strings.
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
    // The body is usually plain text.
    return false;
  }
}

import { toOneLine } from './one-line.ts';

/** A text that is no message, such as an error page, as a message that the gate can judge. */
export interface LooseText {
  /** An error that answers nothing, with the text as its data. */
  readonly line: Buffer;
  /** What is left of the text where the gate has another line go on in place of this one. */
  readonly restOf: (line: string) => Buffer;
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

import { isUtf8 } from 'node:buffer';

/** The text that came as base64, as files of text may; undefined where its bytes are none. */
export function textOfBase64(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : undefined;
}

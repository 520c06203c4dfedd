/**
 * Text from a file or a message that others may have written, made safe for a terminal: control and format characters
 * (line ends too) become U+FFFD, so nothing in it steers the terminal or looks like a line of ours.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
}

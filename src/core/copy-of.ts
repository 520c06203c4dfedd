/** The same text on its own: one that was cut out of another keeps all of that in memory. For what is kept for long. */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Whether to colour what goes to a stream: only on a terminal that can, and where nobody asked for none (https://no-color.org). */
export function hasColour(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';
}

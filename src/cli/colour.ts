let chosen: 'auto' | 'always' | 'never' = 'auto';

/** The value of `--color`, which holds for the whole process. */
export function chooseColour(choice: string): void {
  chosen = choice === 'always' || choice === 'never' ? choice : 'auto';
}

/**
 * Whether to colour what goes to a stream. `--color` counts first, then FORCE_COLOR (0 is no), then NO_COLOR (https://no-color.org), in the
 * order that Node keeps; else only a terminal that can is coloured.
 */
export function hasColour(stream: { readonly isTTY?: boolean }): boolean {
  if (chosen !== 'auto') return chosen === 'always';
  const { FORCE_COLOR: force = '', NO_COLOR: none = '', TERM: terminal } = process.env;
  if (force !== '') return force !== '0' && force !== 'false';
  return stream.isTTY === true && none === '' && terminal !== 'dumb';
}

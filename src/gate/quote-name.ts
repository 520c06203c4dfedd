/** A name comes from a peer and goes into a text that the model reads; longer names are cut. */
export const MOST_NAME = 200;

/** A name in quotes as it may stand in such a text. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name);
}

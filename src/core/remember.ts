interface Bounds {
  /** Texts that are remembered; all are forgotten where there would be more. */
  readonly most: number;
  /** Characters of a text that is remembered. */
  readonly longest?: number;
}

/**
 * The same function, which remembers what it said of short texts. Names come again and again, and peers may make up any number of them.
 *
 * @param read pure, and never undefined
 */
export function remember<T extends object | string>(
  read: (text: string) => T,
  { most, longest = Infinity }: Bounds,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > longest) return read(text);
    let value = known.get(text);
    if (value === undefined) {
      value = read(text);
      if (known.size >= most) known.clear();
      known.set(text, value);
    }
    return value;
  };
}

import picomatch from 'picomatch';

/** `*` and `?` stand for characters, those of hidden files too, and all else for itself. */
const PLAIN = { dot: true, nobrace: true, nobracket: true, noext: true, nonegate: true } as const;

/**
 * Tells whether the name of a file matches a glob that we wrote. Globs of policies are matched by core/patterns/glob.ts, in linear time
 * whatever the value is.
 */
export function isFileMatch(name: string, glob: string): boolean {
  return picomatch.isMatch(name, glob, PLAIN);
}

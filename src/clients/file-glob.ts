import picomatch from 'picomatch';

/** `*` and `?` stand for characters, those of hidden files too, and all else for itself. */
const PLAIN = { dot: true, nobrace: true, nobracket: true, noext: true, nonegate: true } as const;

/**
 * Does the name of a file match a glob that we wrote? What a policy says of arguments is matched by core/policy/glob.ts, in linear time
 * whatever the value is.
 */
export function isFileMatch(name: string, glob: string): boolean {
  return picomatch.isMatch(name, glob, PLAIN);
}

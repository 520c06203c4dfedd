const NAME = /^[A-Za-z0-9._:-]{1,128}$/;

/** What a name of a session has, for people. */
export const NAME_RULE = 'a session has 1 to 128 letters, digits, dots, colons, dashes and underscores';

/** May a session be called that? */
export function isSessionName(name: string): boolean {
  return NAME.test(name);
}

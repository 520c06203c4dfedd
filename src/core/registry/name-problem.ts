/** As nearly all names are: nothing to look at any further. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

const BLANK_END = /^\s|\s$/;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** Joiners between, and variation selectors behind, what is no ASCII: some scripts and emoji are written with them. */
const NEEDED =
  /(?<=[^\0-\x7f\p{Default_Ignorable_Code_Point}])(?:[\ufe00-\ufe0f]?[\u200c\u200d](?=[^\0-\x7f\p{Default_Ignorable_Code_Point}])|[\ufe00-\ufe0f])/gu;

/**
 * What makes the name of a tool or prompt one that servers, or people, may take for another; undefined for all others. A server that trims names
 * runs `bash` where `bash ` was decided on, and who is asked about `bash` with a character in it that nobody sees, reads `bash`.
 */
export function nameProblem(name: string): string | undefined {
  if (PLAIN.test(name)) return undefined;
  if (BLANK_END.test(name)) return 'white space at an end of the name';
  if (CONTROL.test(name)) return 'a control character in the name';
  return UNSEEN.test(name.replace(NEEDED, '')) ? 'a character in the name that nobody sees' : undefined;
}

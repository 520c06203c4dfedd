/** Longer names are classified by their beginning: nobody means that many words, and names come from servers. */
const MOST_NAME = 256;

/** The words of a name in lower case: `getUser`, `get_user`, `get-user` and `GET user` are all `get`, `user`. */
export function splitName(name: string): readonly string[] {
  return name
    .slice(0, MOST_NAME)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

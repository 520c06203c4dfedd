/**
 * Would a server take this key for that name, although it is another? Go, C# and others compare names without their case and
 * C cuts them at a NUL. Such a key is looked at too; that the name itself is there, it does not prove.
 */
export function isVariant(key: string, name: string): boolean {
  if (key === name || (key.length !== name.length && !key.includes('\0'))) return false;
  return foldName(key) === foldName(name);
}

/** Letter case folded as in Go and Java, which know more than one spelling of `i`, `k` and `s`; cut at the first NUL. */
function foldName(name: string): string {
  const nul = name.indexOf('\0');
  const text = nul === -1 ? name : name.slice(0, nul);
  return text.replaceAll('\u0130', 'i').toUpperCase().toLowerCase();
}

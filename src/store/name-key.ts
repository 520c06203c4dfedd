/**
 * A name as a column holds it. SQLite's texts can't hold every name that JavaScript's can, and two names must never become one: those
 * that it can't hold are kept as JSON, and so is what would look like that.
 */
export function toKey(name: string): string {
  return name.startsWith('"') || name.includes('\0') || !name.isWellFormed() ? JSON.stringify(name) : name;
}

/** The name that `toKey` made a key of; a key that was edited to what it never makes is the name itself. */
export function fromKey(key: string): string {
  if (!key.startsWith('"')) return key;
  try {
    return String(JSON.parse(key));
  } catch {
    // One row that was edited must not keep all others from being read.
    return key;
  }
}

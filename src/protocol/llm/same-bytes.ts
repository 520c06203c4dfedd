/** Bytes from which on they are better compared by the runtime: a call out of the engine costs as much as some dozen of them. */
const LONG = 64;

/** Do these bytes stand at `at`, where there is room for them? */
export function isSameAt(part: Buffer, bytes: Buffer, at: number): boolean {
  const { length } = part;
  if (length >= LONG) return part.compare(bytes, at, at + length) === 0;
  for (let i = 0; i < length; i++) if (bytes[at + i] !== part[i]) return false;
  return true;
}

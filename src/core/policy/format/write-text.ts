import type { AST } from '../toml-syntax.ts';

const BARE = /^[A-Za-z0-9_-]+$/;

/** What stands in single quotes for a reason, or would need an escape in double ones. */
const NEEDS_ESCAPE = /["\\\p{Cc}]/u;

/** A key with dots as it is written: without quotes where it needs none. */
export function writeKey(key: AST.TOMLKey, text: string): string {
  return key.keys.map((part) => writePart(part, text)).join('.');
}

/** The names in a key with dots. */
export function namesOf(key: AST.TOMLKey): readonly string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
}

function writePart(part: AST.TOMLBare | AST.TOMLQuoted, text: string): string {
  if (part.type === 'TOMLBare') return part.name;
  return BARE.test(part.value) ? part.value : writeQuoted(part, text);
}

/** A text in double quotes where that changes no letter of it; else as it stands. */
export function writeQuoted(node: AST.TOMLQuoted | AST.TOMLStringValue, text: string): string {
  const isPlain = node.style === 'literal' && !node.multiline && !NEEDS_ESCAPE.test(node.value);
  return isPlain ? `"${node.value}"` : text.slice(...node.range);
}

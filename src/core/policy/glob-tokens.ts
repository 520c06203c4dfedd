/** One token: a run of literal text, `?`, `*` or `**`. */
export type GlobToken = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'one' | 'star' | 'globstar' };

/** Splits a pattern into tokens; a run of two or more stars is one `**`. */
export function tokenizeGlob(pattern: string): GlobToken[] {
  const tokens: GlobToken[] = [];
  for (const [part] of pattern.matchAll(/\*+|\?|[^*?]+/gu)) {
    if (part === '?') tokens.push({ kind: 'one' });
    else if (part.startsWith('*')) tokens.push({ kind: part.length === 1 ? 'star' : 'globstar' });
    else tokens.push({ kind: 'text', text: part });
  }
  return tokens;
}

const EXPRESSION = /\{[^{}]*\}/;

/**
 * Could this URI come of this template (RFC 6570)? An expression may stand for anything, also nothing: rather too many URIs come of a
 * template than too few. Case counts. Takes time in proportion to both texts and the number of expressions.
 *
 * @param uri also the template itself, which is what is sent where one of its variables is completed
 */
export function matchesTemplate(template: string, uri: string): boolean {
  const literals = template.split(EXPRESSION);
  const [first = ''] = literals;
  if (literals.length === 1) return uri === template;
  const last = literals.at(-1) ?? '';
  const end = uri.length - last.length;
  if (!uri.startsWith(first) || end < first.length || !uri.endsWith(last)) return false;
  let at = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = uri.indexOf(literal, at);
    if (found === -1 || found + literal.length > end) return false;
    at = found + literal.length;
  }
  return true;
}

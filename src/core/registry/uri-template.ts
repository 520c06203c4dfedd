import { exactJson, type JsonObject } from '../json.ts';

const ANY_EXPRESSION = /\{[^{}]*\}/;

/** Matches `{path}`, `{+path}`, `{?first,second}` and the like, with their operator and names. */
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

/** No honest URI is longer. A template may repeat a long value. */
const LONGEST = 1024 * 1024;

/**
 * Expands a URI template (RFC 6570) with values of its variables; missing ones become empty. Values are inserted unencoded: whoever
 * compares the URI decodes it. Returns the template itself if it has none of them.
 *
 * @returns undefined if the result is longer than a million characters
 */
export function expandTemplate(template: string, values: JsonObject): string | undefined {
  let length = template.length;
  let isKnown = false;
  const expanded = template.replace(EXPRESSION, (_, operator: string, names: string) => {
    const isNamed = operator === ';' || operator === '?' || operator === '&';
    const parts: string[] = [];
    for (const written of names.split(',')) {
      const name = written.replace(/(?:\*|:\d+)$/, '');
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || value === null || length > LONGEST) continue;
      isKnown = true;
      const text = typeof value === 'string' ? value : exactJson(value);
      length += name.length + text.length;
      parts.push(isNamed ? `${name}=${text}` : text);
    }
    if (parts.length === 0) return '';
    const separator = operator === '' || operator === '+' || operator === '#' ? ',' : operator === '?' ? '&' : operator;
    return `${operator === '+' ? '' : operator}${parts.join(separator)}`;
  });
  if (length > LONGEST) return undefined;
  return isKnown ? expanded : template;
}

/**
 * Tells whether a URI may come from a template (RFC 6570). An expression may stand for anything, even nothing, so that too many URIs match
 * rather than too few. Case counts. Takes time in proportion to both texts and the number of expressions.
 *
 * @param uri may also be the template itself, which is sent when one of its variables is completed
 */
export function matchesTemplate(template: string, uri: string): boolean {
  const literals = template.split(ANY_EXPRESSION);
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

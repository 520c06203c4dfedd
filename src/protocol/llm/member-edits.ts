import { type Edit, membersOf, removeElements, type TextSpan } from './json-text.ts';

/**
 * Takes members out of an object, each with one comma.
 *
 * @param text valid JSON
 * @param span an object in it
 * @param names those that it does not have do not matter
 */
export function removeMembers(text: string, span: TextSpan, names: readonly string[]): readonly Edit[] {
  const members = [...(membersOf(text, span) ?? [])];
  const whole = members.map(([, { end }], at): TextSpan => {
    const before = members[at - 1]?.[1].end;
    // Nothing but white space is between a value and the next comma.
    const start = before === undefined ? text.indexOf('{', span.start) : text.indexOf(',', before);
    return { start: start + 1, end };
  });
  return removeElements(whole, (at) => names.includes(members[at]?.[0] ?? ''));
}

/**
 * The object made anew, each value as it was.
 *
 * @param text valid JSON
 * @param span an object in it
 * @param changes JSON text of the members that are to have another value, or to be added at the end; undefined: to be left out
 */
export function withMembers(text: string, span: TextSpan, changes: Readonly<Record<string, string | undefined>>): string {
  const all = new Map<string, string | undefined>();
  for (const [name, { start, end }] of membersOf(text, span) ?? []) all.set(name, text.slice(start, end));
  for (const [name, value] of Object.entries(changes)) all.set(name, value);
  const members = [...all].flatMap(([name, value]) => (value === undefined ? [] : `${JSON.stringify(name)}:${value}`));
  return `{${members.join(',')}}`;
}

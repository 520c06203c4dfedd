import { type Edit, membersOf, removeElements, type TextSpan } from './json-text.ts';

/** Puts a member behind an object's others. @param text valid JSON @param span an object in it, which has no such member */
export function addMember(
  text: string,
  span: TextSpan,
  { name, value }: { readonly name: string; readonly value: string },
): Edit {
  const last = [...(membersOf(text, span)?.values() ?? [])].at(-1);
  const member = `${JSON.stringify(name)}:${value}`;
  if (last === undefined) return { ...span, text: `{${member}}` };
  return { start: last.end, end: last.end, text: `,${member}` };
}

/** Gives a member another value, or adds it. Parameters as above. */
export function setMember(text: string, span: TextSpan, member: { readonly name: string; readonly value: string }): Edit {
  const old = membersOf(text, span)?.get(member.name);
  return old === undefined ? addMember(text, span, member) : { ...old, text: member.value };
}

/** Takes members out of an object, each with one comma. Parameters as above. @param names those that it does not have do not matter */
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

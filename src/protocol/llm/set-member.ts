import { type Edit, membersOf, type TextSpan } from './json-text.ts';

/** The edit that gives an object a member, or the member another value. A new one stands before the others. @param value JSON text */
export function setMember(text: string, object: TextSpan, name: string, value: string): Edit {
  const members = membersOf(text, object);
  const old = members?.get(name);
  if (old !== undefined) return { ...old, text: value };
  const member = `${JSON.stringify(name)}:${value}`;
  if (members === undefined || members.size === 0) return { ...object, text: `{${member}}` };
  return { start: object.start + 1, end: object.start + 1, text: `${member},` };
}

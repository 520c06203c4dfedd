/** The fields of an event's body, in whatever shape an edit or another version of clawai has left them. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field that is a text; empty where it is none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** A field that counts something; undefined where it does not. */
export function countOf(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The objects of a field that is a list; none where it is no list. */
export function objectsOf(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((item): item is Fields => isObject(item)) : [];
}

/** A field that is an object; empty where it is none. */
export function objectOf(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isObject(value) ? value : {};
}

/** What a call is about: a tool, a resource or a prompt, or just its method. */
export function subjectOf(fields: Fields): string {
  const names = ['tool_name', 'resource_uri', 'prompt_name', 'method'];
  return names.map((name) => textOf(fields, name)).find((text) => text !== '') ?? '';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

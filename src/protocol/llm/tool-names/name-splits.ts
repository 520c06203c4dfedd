import type { NameForm } from './client-style.ts';

/** A name taken apart at one of its separators. */
export interface NameSplit {
  readonly server: string;
  readonly tool: string;
}

/** Every way in which a form may have made a name: the names of servers and tools may have the separator in them. */
export function splitName(form: NameForm, name: string, group: string | undefined): readonly NameSplit[] {
  const { prefix, separator } = form;
  if (!(group ?? name).startsWith(prefix)) return [];
  if (group !== undefined) return form.isGrouped === true ? [{ server: group.slice(prefix.length), tool: name }] : [];
  const splits: NameSplit[] = [];
  for (let at = name.indexOf(separator, prefix.length); at !== -1; at = name.indexOf(separator, at + 1)) {
    splits.push({ server: name.slice(prefix.length, at), tool: name.slice(at + separator.length) });
  }
  return splits;
}

/**
 * Does a name look as if this form had made it? How it reads then, although nobody knows the server: `server` is empty where the name
 * has the prefix and no separator.
 */
export function readMark(form: NameForm, name: string, group: string | undefined): NameSplit | undefined {
  const { prefix, mark } = form;
  if (mark === 'none') return undefined;
  const splits = splitName(form, name, group);
  // A group without a prefix is what the agent's own tools may have too.
  if (group !== undefined) return prefix === '' ? undefined : splits[0];
  const whole = splits.find(({ server, tool }) => server !== '' && tool !== '');
  if (whole !== undefined || mark === 'both_parts') return whole;
  return name.startsWith(prefix) ? { server: '', tool: name.slice(prefix.length) } : undefined;
}

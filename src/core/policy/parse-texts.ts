import { complain, complainOfType, type Complaints } from './complaints.ts';
import { findGlobFault } from '../patterns/glob.ts';
import { describeToml, type TomlValue } from './toml.ts';
import type { PolicyPath } from './types.ts';

/** Reads a text or a list of at least one. Undefined if it is faulty, after complaining. */
export function parseTexts(value: TomlValue, path: PolicyPath, to: Complaints): readonly TextAt[] | undefined {
  if (typeof value === 'string') return [{ text: value, path }];
  if (!Array.isArray(value)) {
    complainOfType(to, path, value, 'a string or a list of strings');
    return undefined;
  }
  if (value.length > 0) return parseList(value, path, to);
  complain(to, path, 'an empty list matches nothing');
  return undefined;
}

/** A text of a list, and its path. */
export interface TextAt {
  readonly text: string;
  readonly path: PolicyPath;
}

/** Reads a list of globs, which may be empty. Undefined if it is faulty, after complaining. */
export function parseGlobs(value: TomlValue, path: PolicyPath, to: Complaints): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    complainOfType(to, path, value, 'a list of globs');
    return undefined;
  }
  const texts = parseList(value, path, to);
  const faulty = texts?.flatMap(({ text, path: at }) => {
    const message = findGlobFault(text);
    return message === undefined ? [] : [{ message, at }];
  });
  for (const { message, at } of faulty ?? []) complain(to, at, message);
  return faulty?.length === 0 ? texts?.map(({ text }) => text) : undefined;
}

function parseList(values: readonly TomlValue[], path: PolicyPath, to: Complaints): readonly TextAt[] | undefined {
  const texts: TextAt[] = [];
  for (const [index, text] of values.entries()) {
    const at = [...path, index];
    if (typeof text === 'string') texts.push({ text, path: at });
    else complain(to, at, `a list of strings, not of ${describeToml(text)}`);
  }
  return texts.length === values.length ? texts : undefined;
}

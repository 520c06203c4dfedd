import { isLabelled, labelOf, nameOfNext } from '../../../core/dlp/labels.ts';
import { stringOf, type TextSpan } from '../../../protocol/llm/json-text.ts';
import { type FoundString, type StringHolder, visitStrings } from '../../../protocol/llm/texts/strings.ts';

/** A string of JSON. */
export interface NamedString {
  readonly span: TextSpan;
  /** The name that tells about it: its key, that of its list, or a label beside it; undefined for a key. */
  readonly name: string | undefined;
  readonly isKey: boolean;
}

/** Finds all strings and keys of a value in order, each with its name. @param text valid JSON */
export function namedStrings(text: string, span: TextSpan): readonly NamedString[] {
  const strings: FoundString[] = [];
  visitStrings(text, span, (string) => strings.push(string));
  const members = new Map<StringHolder, Map<string, string | null>>();
  for (const { span: value, name, holder, isKey } of strings) {
    if (isKey || name === undefined || holder?.isObject !== true) continue;
    const known = members.get(holder) ?? new Map<string, string | null>();
    members.set(holder, known.set(name, stringOf(text, value) ?? null));
  }
  const labels = new Map<StringHolder, string | undefined>();
  const label = (holder: StringHolder): string | undefined => {
    if (!labels.has(holder)) labels.set(holder, labelOf(Object.fromEntries(members.get(holder) ?? [])) ?? holder.name);
    return labels.get(holder);
  };
  return strings.map((string, at) => ({ ...string, name: nameOf(text, { string, before: lastValue(strings, at) }, label) }));
}

/** The string directly before one in the same list. */
function lastValue(strings: readonly FoundString[], at: number): FoundString | undefined {
  const { holder, index = 0 } = strings[at] ?? {};
  const before = strings[at - 1];
  return before?.holder === holder && before?.index === index - 1 ? before : undefined;
}

function nameOf(
  text: string,
  { string: { name, holder, isKey }, before }: { readonly string: FoundString; readonly before: FoundString | undefined },
  label: (holder: StringHolder) => string | undefined,
): string | undefined {
  if (isKey || holder === undefined) return name;
  // A list of values has the label that stands beside it.
  const labelled = holder.isObject ? holder : holder.holder;
  const own = name !== undefined && labelled?.isObject === true && isLabelled(name) ? (label(labelled) ?? name) : name;
  return before === undefined || holder.isObject ? own : nameOfNext(stringOf(text, before.span), holder.count + 1, own);
}

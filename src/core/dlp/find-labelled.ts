import { findValue } from './find-value.ts';
import { looksSecret } from './plausible-secret.ts';
import { scanText, type TextScan } from './scan-text.ts';
import type { SecretSpan } from './secret-forms.ts';
import { secretNameKind } from './secret-name.ts';

/** Matches a name that stands in a member of its own, up to the value in the next one: in JSON, YAML, attributes of XML. */
const LABELLED =
  /(?:name|key|header|field)[\\"']{0,4}[ \t]{0,4}[:=][ \t]{0,4}[\\"']{0,4}([\w.-]{3,64})[\\"']{0,4}[ \t]{0,4},?\s{0,40}[\\"']{0,4}(?:[A-Za-z]{0,32}value|val)[\\"']{0,4}[ \t]{0,4}[:=][ \t]{0,4}/giy;

/** Most characters before the part of a name that tells of a secret: what names it, and the beginning of the name. */
const MOST_BEFORE = 96;

const LABEL = /(?:name|key|header|field)[\\"']{0,4}[ \t]{0,4}[:=]/gi;

/** Matches a name that is the first of a function's arguments, up to the second one. */
const ARGUMENT = /\w\(\s{0,8}(?<quote>["'])(?<name>[\w.-]{3,64})\k<quote>\s{0,8},\s{0,40}(?=["'])/y;

/**
 * Finds values whose name stands in another member: `{"name": "PASSWORD", "value": "x"}`, `- name: PASSWORD` above `value: x`,
 * `key="ApiKey" value="x"`; or before them among a function's arguments: `define('PASSWORD', 'x')`. Each hint of a name is looked at once, with the few characters before it.
 *
 * @returns in the order of their starts
 */
export function findLabelled(text: string, { hints }: TextScan = scanText(text)): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let done = 0;
  for (const hint of hints) {
    if (hint < done) continue;
    const from = Math.max(done, hint - MOST_BEFORE);
    const found = valuesOf(text, from, hint);
    if (found === undefined) continue;
    for (const span of found) if (looksSecret(text.slice(span.start, span.end), span.kind)) spans.push(span);
    done = found.at(-1)?.end ?? hint;
  }
  return spans;
}

/** The values that the name with the hint names; undefined if it names none. */
function valuesOf(text: string, from: number, hint: number): readonly SecretSpan[] | undefined {
  const before = text.slice(from, hint);
  for (const { index } of before.matchAll(LABEL)) {
    LABELLED.lastIndex = from + index;
    const kind = secretNameKind(LABELLED.exec(text)?.[1] ?? '');
    if (kind !== undefined) return findValue(text, { kind, start: LABELLED.lastIndex, isHeader: false });
  }
  const bracket = before.lastIndexOf('(');
  if (bracket < 1) return undefined;
  ARGUMENT.lastIndex = from + bracket - 1;
  const kind = secretNameKind(ARGUMENT.exec(text)?.groups?.['name'] ?? '');
  return kind === undefined ? undefined : findValue(text, { kind, start: ARGUMENT.lastIndex, isHeader: false });
}

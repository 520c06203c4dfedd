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

/**
 * Finds values whose name stands in another member: `{"name": "PASSWORD", "value": "x"}`, `- name: PASSWORD` above `value: x`,
 * `key="ApiKey" value="x"`. Each hint of a name is looked at once, with the few characters before it.
 *
 * @returns in the order of their starts
 */
export function findLabelled(text: string, { hints }: TextScan = scanText(text)): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let done = 0;
  for (const hint of hints) {
    if (hint < done) continue;
    const from = Math.max(done, hint - MOST_BEFORE);
    const before = text.slice(from, hint);
    for (const { index } of before.matchAll(LABEL)) {
      LABELLED.lastIndex = from + index;
      const kind = secretNameKind(LABELLED.exec(text)?.[1] ?? '');
      if (kind === undefined) continue;
      const found = findValue(text, { kind, start: LABELLED.lastIndex, isHeader: false });
      for (const span of found) if (looksSecret(text.slice(span.start, span.end), kind)) spans.push(span);
      done = found.at(-1)?.end ?? hint;
      break;
    }
  }
  return spans;
}

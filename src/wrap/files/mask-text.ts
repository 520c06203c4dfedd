import type { Syntax } from '../../clients/client.ts';
import type { JsonNode } from '../../clients/scan-json.ts';
import { isJson, scanText } from '../../clients/text.ts';
import { redactText } from '../../core/dlp/redact-text.ts';
import { type IsOwnUrl, maskConfig, maskValue, tableKind, type ValuePlace } from './mask-config.ts';

/** Like `maskConfig`, in any syntax. A text that can't be parsed has only that masked which looks like a secret. */
export function maskText(text: string, syntax: Syntax, isOwn: IsOwnUrl): string {
  if (isJson(syntax)) return maskConfig(text, isOwn);
  const scan = scanText(text, syntax, []);
  if (!scan.ok || scan.root === undefined) return redactText(text, text.length).text;
  const masked = new Map<number, { readonly end: number; readonly shown: string }>();
  collect(scan.root, { isObject: false, kind: undefined, before: '' });
  const parts: string[] = [];
  let at = 0;
  for (const [start, { end, shown }] of [...masked].toSorted(([a], [b]) => a - b)) {
    if (start < at) continue;
    parts.push(maskBetween(text.slice(at, start)), shown);
    at = end;
  }
  parts.push(maskBetween(text.slice(at)));
  return parts.join('');

  /** An alias in YAML leads to one value from several places. */
  function collect(node: JsonNode, place: ValuePlace): void {
    const { start, end, value, items } = node;
    if (node.kind === 'object') {
      for (const { key, node: member } of node.members) {
        const kind = place.kind ?? (member.kind === 'object' || member.kind === 'array' ? tableKind(key) : undefined);
        collect(member, { isObject: true, kind, before: key });
      }
    } else if (node.kind === 'array') {
      for (const [i, item] of items.entries())
        collect(item, { isObject: false, kind: place.kind, before: items[i - 1]?.value ?? '' });
    } else if (node.kind === 'string' || node.kind === 'number') {
      const shown = maskValue(value, place, isOwn);
      if (shown !== value) masked.set(start, { end, shown: JSON.stringify(shown) + lineEndsIn(text.slice(start, end)) });
    }
  }
}

/** Masks what stands between values that are masked: keys, values that are none, and comments. */
function maskBetween(text: string): string {
  return /#|\/[/*]/.test(text) ? redactText(text, text.length).text : text;
}

/** The lines of a diff stay those of the file. */
function lineEndsIn(text: string): string {
  return text.replaceAll(/[^\n]+/g, '');
}

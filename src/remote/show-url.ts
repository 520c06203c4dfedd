import { redactedMark, redactText } from '../core/dlp/redact-text.ts';

/** Characters of a URL that are shown. */
const MOST = 2048;

/**
 * A URL for people and reports: what looks like a secret, and every value of its query, which servers take tokens in, is left out.
 * Names of the query stay.
 */
export function showUrl(url: string): string {
  const at = url.indexOf('?');
  const start = redactText(at === -1 ? url : url.slice(0, at), MOST).text;
  if (at === -1) return start;
  const fields = url.slice(at + 1).split('&');
  const shown = fields.map((field) => {
    const equals = field.indexOf('=');
    return equals === -1 ? redactedMark('query') : `${field.slice(0, equals)}=${redactedMark('query')}`;
  });
  return `${start}?${shown.join('&')}`;
}

import { redactedMark, redactText } from '../core/dlp/redact-text.ts';

/** Characters of a URL that are shown. */
const MOST = 2048;

/** A part of a path that nobody would think up: a UUID, or letters and digits in a row as a random token has them. */
const RANDOM =
  /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|.*(?:(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{24,}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{20,}).*)$/;

/**
 * A URL for people and reports: what looks like a secret, random parts of its path, and every value of its query, which servers take tokens in, are left out.
 * Names of the query stay.
 */
export function showUrl(url: string): string {
  const at = url.indexOf('?');
  const start = showPath(redactText(at === -1 ? url : url.slice(0, at), MOST).text);
  if (at === -1) return start;
  const fields = url.slice(at + 1).split('&');
  const shown = fields.map((field) => {
    const equals = field.indexOf('=');
    return equals === -1 ? redactedMark('query') : `${field.slice(0, equals)}=${redactedMark('query')}`;
  });
  return `${start}?${shown.join('&')}`;
}

function showPath(start: string): string {
  const [scheme = '', none = '', host = '', ...parts] = start.split('/');
  return [scheme, none, host, ...parts.map((part) => (RANDOM.test(part) ? redactedMark('path') : part))].join('/');
}

import { matchAt } from './match-at.ts';
import type { Detection } from './types.ts';

const LONGEST_ALTERNATIVE = 300;
const LONGEST_ADDRESS = 2000;
const MOST_MATCHES = 3;

/**
 * Images of Markdown whose address has a place for data: who shows the answer asks that server for the image, and gives it the data with the address.
 * An address that is whole, as those of badges are, carries nothing out.
 */
export function findImages(field: string, text: string): readonly Detection[] {
  const matches = [];
  for (let at = text.indexOf('!['); at !== -1 && matches.length < MOST_MATCHES; at = text.indexOf('![', at + 2)) {
    const middle = text.slice(at, at + LONGEST_ALTERNATIVE).indexOf('](');
    if (middle === -1) continue;
    const start = at + middle + 2;
    const address = text.slice(start, start + LONGEST_ADDRESS).split(')', 1)[0] ?? '';
    if (hasPlace(address)) matches.push(matchAt(text, at, start + address.length));
  }
  if (matches.length === 0) return [];
  const description = 'Has an image whose address takes data along to a server';
  return [{ rule: 'exfiltration.image', family: 'exfiltration', severity: 'high', description, field, matches }];
}

/** What somebody writes who leaves it to the reader what to put there. */
const STANDS_FOR_DATA =
  /=(?:YOUR_[A-Z_]{1,40}|[A-Z]{2,20}(?:_[A-Z]{2,20}){1,4}|(?:ENCODED_|THE_|USER_)?(?:DATA|CONTENTS?|CONVERSATION|HISTORY|SECRETS?|MESSAGES?|PAYLOAD|BASE64|ENCODED|INFO|CONTEXT|SUMMARY|PROMPT|CREDENTIALS|OUTPUT))(?![A-Za-z0-9])/;

function hasPlace(address: string): boolean {
  const query = address.indexOf('?');
  if (!address.startsWith('http') || query === -1) return false;
  const data = address.slice(query).toLowerCase();
  if (STANDS_FOR_DATA.test(address.slice(query))) return true;
  return ['={', '=<', '=[', '=$', '=%7b', '=%24'].some((place) => data.includes(place));
}

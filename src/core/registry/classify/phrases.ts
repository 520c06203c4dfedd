import type { Category } from '../category.ts';
import { ADDRESSES, MESSAGES } from './verbs.ts';

/** Where something goes that is done `to` it: away from here. */
const DESTINATIONS: ReadonlySet<string> = new Set(
  (
    'email emails mail sms phone url urls uri webhook endpoint address remote server host hostname external internet cloud bucket s3 gcs ' +
    'ftp sftp ssh slack discord telegram teams whatsapp twitter pastebin dropbox recipient recipients'
  ).split(' '),
);

/** Words that are nouns as often, unless what they are done to comes next: `get_post` has none of them, `get_post_message` has. */
const DONE_TO: readonly {
  readonly verbs: ReadonlySet<string>;
  readonly objects: ReadonlySet<string>;
  readonly category: Category;
}[] = [
  { verbs: new Set(['post', 'publish', 'broadcast', 'forward', 'reply', 'share']), objects: MESSAGES, category: 'send' },
  {
    verbs: new Set(['call', 'dial', 'ring']),
    objects: new Set(['phone', 'number', 'user', 'customer', 'contact', 'person', 'people', 'everyone']),
    category: 'send',
  },
  {
    verbs: new Set(['email', 'mail', 'message', 'text', 'tell', 'sms', 'dm']),
    objects: new Set(['all', 'everyone', 'everybody', 'people', 'team']),
    category: 'send',
  },
  { verbs: new Set(['via', 'through']), objects: new Set(['proxy', 'relay', 'tunnel', 'webhook']), category: 'send' },
  {
    verbs: new Set(['transfer', 'wire', 'pay', 'move', 'remit']),
    objects: new Set(['money', 'funds', 'fund', 'cash', 'payment', 'invoice', 'bill']),
    category: 'write',
  },
];

/** What is done at an address puts there what the caller has. */
const PUTTING: ReadonlySet<string> = new Set(['put', 'post', 'patch', 'push', 'submit']);

/** Adds what words tell only by those beside them. */
export function addPhrases(found: Set<Category>, words: readonly string[]): void {
  for (const [index, word] of words.entries()) {
    const next = words[index + 1] ?? '';
    // Between the two may stand which: `to_my_email`.
    if (index > 0 && word === 'to' && (DESTINATIONS.has(next) || DESTINATIONS.has(words[index + 2] ?? ''))) found.add('send');
    for (const { verbs, objects, category } of DONE_TO) {
      if (verbs.has(word) && objects.has(next)) found.add(category);
    }
    if (ADDRESSES.has(word) && PUTTING.has(next)) found.add('send');
  }
}

/** All words that count here. */
export function phraseWords(): readonly string[] {
  return ['to', ...DESTINATIONS, ...PUTTING, ...DONE_TO.flatMap(({ verbs, objects }) => [...verbs, ...objects])];
}

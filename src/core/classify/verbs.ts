import type { Category } from '../call.ts';

/** Words by category, separated by spaces. */
type Words = Readonly<Record<string, string>>;

type Table = ReadonlyMap<string, readonly Category[]>;

/** Verbs that count wherever they stand: `get_or_create_user` creates. Participles and nouns are other words (`deleted`, `creation`). */
export const verbsAnywhere = toTable({
  write:
    'create delete remove write edit insert append replace overwrite rename drop erase purge truncate modify upsert destroy wipe ' +
    'uninstall revoke terminate kill unsubscribe',
  send: 'send notify transmit emit exfil exfiltrate leak',
  'write send': 'upload',
  'write compute': 'exec execute eval bash shell powershell',
});

/** Verbs that may be nouns. They count as the first verb of a name, and behind `and` and `or`. */
export const verbsLeading = toTable({
  read:
    'get list read search find query lookup look check count inspect explore browse status stats stat diff log show view describe retrieve ' +
    'download watch tail head verify compare preview exists whoami screenshot snapshot history details info tree explain scan resolve introspect ' +
    'detect discover monitor top grep cat ls ps select filter print dump lookup poll peek wait receive load recall locate identify geocode ask suggest ' +
    'recommend aggregate capture trace audit hget hgetall lrange smembers llen zrange xrange glob',
  write:
    'add make give update set put patch save move copy clone duplicate merge close reopen archive unarchive restore assign unassign apply deploy scale ' +
    'restart start stop pause resume enable disable install import alter migrate rebase commit checkout reset label pin unpin star unstar fork ' +
    'approve reject cancel refund rotate grant subscribe click fill press drag hover resize handle type draft flag mark trash ban unban mute ' +
    'unmute block unblock leave follow unfollow like unlike retweet join switch activate deactivate lock unlock toggle turn control manage ' +
    'confirm finalize transition link unlink attach detach register configure change initialize init build prune recreate retry rerun play ' +
    'dismiss hide increment decrement pull transfer pay place order buy sell withdraw deposit book schedule complete swap undo redo stage ' +
    'stash tag connect disconnect login logout provision release upgrade downgrade bump react vote rate moderate kick promote clear sync ' +
    'zip unzip tar gzip compress backup relocate mirror rsync pack mv cp rm rollout rollback reprioritize force hset hdel lpush rpush sadd srem zadd zrem xadd expire',
  'read write': 'export pop lpop rpop',
  'read send': 'fetch navigate scrape crawl visit curl browse extract',
  send: 'post email sms forward reply respond tweet dm broadcast publish dial mail announce message contact',
  'write send': 'share invite push submit request comment',
  'write compute': 'run invoke spawn interact call trigger terminal',
  compute:
    'calculate compute convert encode decode hash format parse transform translate generate summarize summarizer render solve plot random ' +
    'think sequentialthinking echo compile validate embed lint evaluate analyze estimate predict classify tokenize simulate optimize sample diagnose',
});

/** Mostly nouns. Right behind `and` and `or` they are verbs. */
export const verbsJoined = toTable({
  send: 'alert stream ping page relay text phone ring webhook tunnel',
  write: 'wire remit charge bill debit',
});

/** Words that may be nouns when they are a name's first verb: `status_update`. The last word is then a verb too. */
export const NOUN_OR_VERB: ReadonlySet<string> = new Set(
  'list search query check status stats stat diff log view history details info tree trace audit screenshot snapshot filter count'.split(
    ' ',
  ),
);

/** Verbs at the end of a name that begins with a noun. Words that are as often nouns there (`order`, `tag`) are left out. */
export const VERBS_LAST: ReadonlySet<string> = new Set(
  (
    'add update set put patch save move copy clone merge close reopen archive restore assign apply deploy scale restart start stop enable ' +
    'disable install import reset cancel clear share push submit post publish forward reply run invoke trigger pay'
  ).split(' '),
);

/**
 * Verbs at the end of a name that begins with another verb, if they are hardly ever nouns: `get_update` gets one, `get_report_submit`
 * submits.
 */
export const VERBS_AFTER_ALL: ReadonlySet<string> = new Set(
  'put submit publish push forward invoke apply deploy save assign enable disable reopen restart pay notify'.split(' '),
);

/** Messages to people, which are nouns if one of `VERBS_OF_READING` ends the name: `email_read`. */
export const SAID: ReadonlySet<string> = new Set('message email mail sms tweet post dm comment contact'.split(' '));

/** Verbs that are hardly ever nouns and only read. */
export const VERBS_OF_READING: ReadonlySet<string> = new Set('read get search find lookup describe retrieve'.split(' '));

/** Words before an HTTP method for tools that pass a request on to any address. */
export const PASSING_ON: ReadonlySet<string> = new Set('proxy relay tunnel'.split(' '));

/** Nouns that tell what a name without a verb returns. */
export const NOUNS_READ: ReadonlySet<string> = new Set(
  'schema schemas indexes size metadata messages requests logs discussions transcript overview replies profile weather forecast docs directions elevation'.split(
    ' ',
  ),
);

/** Created objects that make the creation a message: nothing else is changed. */
export const MESSAGES: ReadonlySet<string> = new Set('message email mail sms tweet post dm call announcement'.split(' '));

/** Added objects that others are notified of. */
export const REMARKS: ReadonlySet<string> = new Set(
  'comment reply review feedback invitation notification thread webhook'.split(' '),
);

/** Verbs whose object, in the next words, tells what they do. */
export const MAKING: ReadonlySet<string> = new Set('create add make leave give write submit'.split(' '));

/** Words for an address that the caller chooses. */
export const ADDRESSES: ReadonlySet<string> = new Set('url urls webpage website uri'.split(' '));

/** Destinations behind `to` that lie elsewhere. */
const DESTINATIONS: ReadonlySet<string> = new Set(
  (
    'email emails mail sms phone url urls uri webhook endpoint address remote server host hostname external internet cloud bucket s3 gcs ' +
    'ftp sftp ssh slack discord telegram teams whatsapp twitter pastebin dropbox recipient recipients'
  ).split(' '),
);

/** Words that are as often nouns, unless their object follows: `get_post` has none of them, `get_post_message` has. */
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

/** Verbs behind an address that send the caller's data there. */
const PUTTING: ReadonlySet<string> = new Set(['put', 'post', 'patch', 'push', 'submit']);

/** Adds the categories of words that only mean something together. */
export function addPhrases(found: Set<Category>, words: readonly string[]): void {
  for (const [index, word] of words.entries()) {
    const next = words[index + 1] ?? '';
    // One word may stand between the two: `to_my_email`.
    if (index > 0 && word === 'to' && (DESTINATIONS.has(next) || DESTINATIONS.has(words[index + 2] ?? ''))) found.add('send');
    for (const { verbs, objects, category } of DONE_TO) {
      if (verbs.has(word) && objects.has(next)) found.add(category);
    }
    if (ADDRESSES.has(word) && PUTTING.has(next)) found.add('send');
  }
}

/** All words that this function recognises. */
export function phraseWords(): readonly string[] {
  return ['to', ...DESTINATIONS, ...PUTTING, ...DONE_TO.flatMap(({ verbs, objects }) => [...verbs, ...objects])];
}

/** Created on first use: most policies have no rule about kinds of tools, and a proxy has to start at once. */
function toTable(words: Words): () => Table {
  let table: Table | undefined;
  return () => {
    table ??= new Map(
      Object.entries(words).flatMap(([label, list]) =>
        list.split(' ').map((word) => [word, label.split(' ') as readonly Category[]] as const),
      ),
    );
    return table;
  };
}

/** All words that count in names. */
export function nameWords(): readonly string[] {
  return [
    ...[verbsAnywhere(), verbsLeading(), verbsJoined()].flatMap((table) => [...table.keys()]),
    ...[VERBS_LAST, VERBS_AFTER_ALL, NOUNS_READ, MESSAGES, REMARKS, ADDRESSES, PASSING_ON].flatMap((words) => [...words]),
    ...'and or then api http https open draft request sql query head options'.split(' '),
  ];
}

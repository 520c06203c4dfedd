const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const DELETING = words('delete remove drop destroy erase rm del terminate reset uninstall unpublish');

/** Verbs that leave nothing, whatever their object. */
const WIPING = words('destroy wipe wipefs purge nuke prune truncate flushall flushdb deletion shred');

/** Things that hold others' work and take it along when deleted. Only the object of the deletion counts, not its container. */
const HOLDERS = words(
  'repository repositories repo repos branch branches database databases db table tables volume volumes bucket buckets cluster clusters namespace namespaces ' +
    'project projects organization org workspace instance instances vm vms droplet disk disks snapshot snapshots backup backups stack stacks keyspace',
);

const DEPLOYERS = words('helm kubectl');

/** Such things in some services. */
const HOLDERS_LAST = words(
  'collection collections index indexes indices schema schemas dataset datasets service services site sites website websites app apps resource resources ' +
    'deployment deployments node nodes release releases object objects blob blobs package packages dashboard dashboards zone zones',
);

/** Verbs that delete a single thing, and hardly ever mean anything else; `drop` may mean letting it fall. */
const DELETING_ONE = words(
  'delete remove destroy erase rm rmdir unpublish shred uninstall trash deregister yank terminate kill shutdown poweroff cleanup',
);

/** First words of names that are about deleted things, or plan a deletion. */
const READING = words('get list search find show describe check read view count query');
const MAKING = words('create add update set make');

/** Last words of such names. */
const ABOUT = words('info notice status history log logs details policy');

/** Words for records of actions, or for the right to them. */
const OF_ACTIONS = words('log logs audit track permission permissions access grant hook webhook webhooks');

/** Verbs that are harmless even when forced. */
const RENEWING = words('refresh reload update sync render fetch');

/** Things that an agent started itself. */
const OWN = words('shell bash task terminal');

/** Verbs that destroy something of these objects, and are ordinary elsewhere. */
const TAKEN_FROM: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'reset',
    words(
      'branch database db migrate migrations schema environment offset offsets cluster index device factory parent data project',
    ),
  ],
  ['clear', words('database table queue index collection data memory storage history trash')],
  ['restore', words('backup snapshot database')],
  ['clean', words('working untracked workspace volumes images up')],
  ['format', words('disk drive volume partition device')],
  ['unlink', words('file path symlink')],
]);

/** Things that are easily made again. */
const SLIGHT = words(
  'reaction reactions emoji label labels tag tags star bookmark favorite like draft drafts tab tabs breakpoint breakpoints highlight cell cells line lines row rows ' +
    'column columns text todo todos observation observations relation relations shape slide element session breadcrumb pending background silence duplicates noise watermark whitespace filter filters formatting style styles',
);

/** Verbs that restore an older state, so that later work is lost. */
const TURNING_BACK = words('rollback rebuild discard overwrite revoke unprotect drain');

/** Words that end the object of a deletion. */
const FURTHER = /^(?:by|from|in|with|on|of|for|if|and|or|safely|v\d+)$/;

/** Git commands that drop uncommitted work, or rewrite commits. */
const DISCARDING = words('clean restore filter rebase');

/** Deleted things can be restored from these until they are emptied. */
const BINS = words('trash bin bins recycle bucket buckets');

/** Words for any number of things. */
const MANY = words('many bulk batch');

/** Verbs that only destroy when they apply to `all`. */
const OF_ALL = words('flush clear forget empty remove delete erase');

/** Objects of a merge into a shared branch; `merge_request` is a noun. */
const MERGED = words('pull pr mr branch branches merge');

const MERGING = words('git pr mr pull branch request');

const TRUE = /^\s*(?:true|t|yes|y|on|1|force|with-lease)\s*$/i;
const HARD = /^\s*(?:--)?hard\b/i;
/** Matches flags of a push, and its refs: `+main` overwrites, `:main` deletes. */
const FORCING = /(?:^|\s)(?:-[a-z]*[fd][a-z]*|--(?:force|delete|mirror|prune)\S*|\+\S+|:[^\s:]+)(?:\s|$)/;
const FORCE = /^\s*(?:--)?force/i;

/** Matches the start of a statement that loses data for good. Quoted text may look like one: then a person is asked once too often. */
const STATEMENT =
  /(?:^|[;(]|\b(?:begin|then|else|loop|do|immediate|execute|analyze)\b(?:\s*(?:\$\w{0,64}\$|['"]))?)\s*(?:drop\s+(?:table|database|warehouse|stage|dictionary|server|procedure|policy|schema|view|materialized|index|column|role|user|owned|keyspace|collection|trigger|function|extension|publication|tablespace|sequence|type)\b|truncate\b|revoke\s|(?<=then\s+)delete\b|delete\s+from\s+[^\s;)]+\s*(?:;|\)|$|returning\b|where\s+(?:true\b|(\S+)\s*=\s*\1(?:\s|;|$)))|update\s+[^\s;]+\s+set\s(?![^;]{0,2000}\bwhere\b)|create\s+or\s+replace\s+(?:transient\s+)?table\b|alter\s+table\s[^;]{1,500}\sdrop\b|rename\s+table\b)|\bdetach\s+delete\b|^\s*match\b[^;]{0,2000}\)\s*delete\s/i;
const MOST_STATEMENT = 65_536;

const ASKING = words('search searches ask find lookup docs documentation research');

// Names of arguments, their words with `_` between them.
const STATEMENTS = words(
  'sql query queries statement statements sql_query sql_queries sql_statement sql_statements raw_sql ddl cypher',
);
const FORCES = words('force forced force_push force_with_lease hard');
/** Matches flags that make a call delete too; a merged branch is not missed. */
const TAKING = /^(?:(?:hard_)?delete|purge|destroy|wipe)(?:_(?!.*branch)\w+)?$/;
/** Flags of a change that trashes things; in a list they show trashed ones. */
const TRASHED = words('in_trash trashed is_trashed move_to_trash');
const FORCED = words('push ref refs reference branch reset merge checkout switch worktree');
const PUSHING = words('mirror prune delete');
const MODES = words('mode reset_mode type hard');
/** Counts of running instances: none means off. */
const COUNTS = words('replicas scale count desired_count size min_size instances dyno');
const NONE = /^\s*(?:[\w-]{1,64}=)?0+(?:\.0+)?\s*$/;
const ACTIONS = words('action operation operation_name op method verb mode sub_command subcommand');
/** Actions that destroy if the tool's name has a holder, or one of `OF_ACTS`. */
const ACTS = words('drop clear prune drain undo rollback unlink');
const OF_ACTS = words('git rollout file files');
/** Names of delete requests in a list of requests: MongoDB's, DynamoDB's. */
const REQUESTS = words('delete_many delete_one delete_request');
/** Matches a GraphQL mutation that deletes. */
const MUTATION = /\bmutation\b[^{]{0,500}\{\s*(?:\w+\s*:\s*)?(?:delete|destroy|remove|purge)(?![a-z])/;
const LONGEST_ACTION = 64;
/** Tools of editors, which can undo a deletion. */
const OF_TEXTS = words('edit editor replace notebook');
const FLAGS = words('args flags options refspec refspecs branch ref refs remote_branch');
/** Arguments that tell a generic tool what to delete. */
const KINDS = words('kind type resource_type resource object_type entity_type');

/** Tells whether a tool's name says that it removes or overwrites something hard to get back. @param name its words in lower case */
export function namesDestroying(name: readonly string[]): boolean {
  const has = (set: ReadonlySet<string>): boolean => name.some((word) => set.has(word));
  const [first = ''] = name;
  if (first === 'get' || first === 'list' || first === 'search' || first === 'find') return false;
  if (has(WIPING) || (name.includes('git') && has(DISCARDING))) return true;
  if (
    has(DELETING) &&
    (has(MANY) || has(DEPLOYERS) || isHolder(objectOf(name))) &&
    !(name.includes('remove') && name.includes('from'))
  )
    return true;
  if (name.includes('all') && name.some((word) => OF_ALL.has(word))) return true;
  if (name.includes('stash') && (name.includes('clear') || name.includes('drop'))) return true;
  if (has(MANY) && (name.includes('archive') || name.includes('trash'))) return true;
  if (name.includes('force') && (name.includes('push') || name.includes('delete'))) return true;
  if (name.includes('hard') && name.includes('reset')) return true;
  if ((first === 'accept' || name.includes('auto')) && name.includes('merge')) return true;
  if (first === 'unpublish' && name.length === 1) return true;
  if (first === 'empty' && has(BINS)) return true;
  const isMerge = name.some((word, index) => word === 'merge' && MERGED.has(name[index + 1] ?? ''));
  return isMerge || (name.at(-1) === 'merge' && (name.length === 1 || name.some((word) => MERGING.has(word))));
}

function isHolder(word: string): boolean {
  return HOLDERS.has(word) || HOLDERS_LAST.has(word);
}

/** The object of a deletion in a name: the last word behind the verb, or in front of a verb that ends the name. */
function objectOf(name: readonly string[]): string {
  const at = name.findIndex((word) => DELETING.has(word));
  const end = name.findIndex((word, index) => index > at && FURTHER.test(word));
  const behind = name.slice(at + 1, end === -1 ? undefined : end);
  return (behind.length > 0 ? behind : name.slice(0, at)).at(-1) ?? '';
}

/**
 * Tells whether a call of a tool with such a name deletes its subject. Applies to calls, not to tools: a name's claim about a single thing
 * counts once there is a call.
 */
export function callDeletes(name: readonly string[]): boolean {
  if (name.some((word) => SLIGHT.has(word)) || READING.has(name[0] ?? '') || ABOUT.has(name.at(-1) ?? '')) return false;
  const at = name.findIndex((word) => DELETING_ONE.has(word));
  if (at !== -1 && !name.slice(0, at).some((word) => READING.has(word) || MAKING.has(word))) {
    const isOwn = name[at] === 'kill' && name.some((word) => OWN.has(word));
    return !isOwn && !(name[at] === 'remove' && name.includes('from'));
  }
  if (name.some((word) => TURNING_BACK.has(word)) || (name.includes('force') && !name.some((word) => RENEWING.has(word))))
    return true;
  return name.some((word) => name.some((object) => TAKEN_FROM.get(word)?.has(object)));
}

/** Tells whether a member of an argument is a request to delete. @param key its words with `_` between them */
export function isRequestToDelete(key: string): boolean {
  return REQUESTS.has(key);
}

/** Tells whether one argument makes a call destroy something. @param key its name, as words with `_` between them */
export function argumentDestroys(key: string, value: string, name: readonly string[]): boolean {
  if (STATEMENTS.has(key) && isLookedFor(key, name)) return false;
  if (STATEMENTS.has(key)) return value.length > MOST_STATEMENT || STATEMENT.test(withoutComments(value)) || MUTATION.test(value);
  if (FORCES.has(key)) return TRUE.test(value) && name.some((word) => FORCED.has(word) || DELETING.has(word));
  if (TRASHED.has(key)) return TRUE.test(value) && !name.some((word) => ASKING.has(word) || word === 'list' || word === 'get');
  if (TAKING.test(key)) return TRUE.test(value) && !READING.has(name[0] ?? '');
  if (key === 'type' && DELETING_ONE.has(value.toLowerCase())) return !READING.has(name[0] ?? '');
  if (key === 'volumes') return TRUE.test(value) && name.includes('down');
  if (COUNTS.has(key)) return NONE.test(value) && name.includes('scale');
  const isPush = name.includes('push');
  if (isPush && PUSHING.has(key)) return TRUE.test(value);
  if (isPush && FLAGS.has(key)) return FORCING.test(value);
  if (MODES.has(key) && ((HARD.test(value) && name.includes('reset')) || (FORCE.test(value) && isPush))) return true;
  if (ACTIONS.has(key)) return actionDestroys(value, name);
  if (!KINDS.has(key) || !name.some((word) => DELETING.has(word))) return false;
  return wordsOf(value).some((word) => isHolder(word) || word === 'ns');
}

function wordsOf(value: string): readonly string[] {
  return value
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** Tells whether a generic tool's action destroys, as `delete_bucket`, or `DELETE` over HTTP. */
function actionDestroys(value: string, name: readonly string[]): boolean {
  if (value.length > LONGEST_ACTION || READING.has(name[0] ?? '')) return false;
  if (name.some((word) => SLIGHT.has(word) || OF_TEXTS.has(word) || OF_ACTIONS.has(word))) return false;
  const action = wordsOf(value);
  if (action.some((word) => SLIGHT.has(word))) return false;
  if (action.some((word) => DELETING_ONE.has(word)) || namesDestroying(action)) return true;
  const isOfHolder = name.some((word) => isHolder(word) || OF_ACTS.has(word));
  return isOfHolder && ACTS.has(action[0] ?? '');
}

/** Tells whether a tool's `query` is a question, and not a statement. */
function isLookedFor(key: string, name: readonly string[]): boolean {
  return (
    key.startsWith('quer') &&
    name.some((word) => ASKING.has(word)) &&
    !name.some((word) => word === 'sql' || word.startsWith('execut'))
  );
}

/** Tells whether an argument of this name holds a database statement. */
export function isStatement(key: string): boolean {
  return STATEMENTS.has(key);
}

/** Tells whether an argument of this name may make a call destructive. */
export function mayDestroy(key: string): boolean {
  return (
    [STATEMENTS, FORCES, PUSHING, MODES, ACTIONS, FLAGS, KINDS, COUNTS, TRASHED].some((set) => set.has(key)) ||
    key === 'volumes' ||
    TAKING.test(key)
  );
}

/** SQL without its comments, except for those that MySQL executes. Linear. */
function withoutComments(sql: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = sql.indexOf('/*'); start !== -1; start = sql.indexOf('/*', at)) {
    parts.push(sql.slice(at, start));
    if (sql[start + 2] === '!') at = start + 3;
    else {
      const end = sql.indexOf('*/', start + 2);
      at = end === -1 ? sql.length : end + 2;
    }
  }
  parts.push(sql.slice(at));
  return parts.join(' ').replaceAll(/--[^\n]*|#[^\n]*|\*\/|^\d{5,6}|(?<= )\d{5,6}(?= )/g, ' ');
}

/** All words that these functions recognise. */
export function destroyingWords(): readonly string[] {
  return [
    ...DELETING,
    ...WIPING,
    ...HOLDERS,
    ...HOLDERS_LAST,
    ...MANY,
    ...FORCED,
    ...DISCARDING,
    ...DELETING_ONE,
    ...OWN,
    ...READING,
    ...OF_ALL,
    ...[...TAKEN_FROM].flatMap(([verb, objects]) => [verb, ...objects]),
    ...SLIGHT,
    ...TURNING_BACK,
    ...BINS,
    'empty',
    'git',
    'force',
    'hard',
    'merge',
  ];
}

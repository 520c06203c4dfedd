const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const DELETING = words('delete remove drop destroy erase rm del terminate reset uninstall unpublish');

/** These leave nothing, whatever they are done to. */
const WIPING = words('destroy wipe wipefs purge nuke prune truncate flushall flushdb deletion shred');

/** What holds the work of others, and is gone with all that is in it. It has to be what is deleted, and not whose part is. */
const HOLDERS = words(
  'repository repositories repo repos branch branches database databases db table tables volume volumes bucket buckets cluster clusters namespace namespaces ' +
    'project projects organization org workspace instance instances vm vms droplet disk disks snapshot snapshots backup backups stack stacks keyspace',
);

const DEPLOYERS = words('helm kubectl');

/** What is the like of them in some services. */
const HOLDERS_LAST = words(
  'collection collections index indexes indices schema schemas dataset datasets service services site sites website websites app apps resource resources ' +
    'deployment deployments node nodes release releases object objects blob blobs package packages dashboard dashboards zone zones',
);

/** These take away one thing, too, and hardly anything else is meant by them; `drop` may be to let it fall. */
const DELETING_ONE = words(
  'delete remove destroy erase rm rmdir unpublish shred uninstall trash deregister yank terminate kill shutdown poweroff cleanup',
);

/** A name that begins so is about what is deleted, or was, or is to be. */
const READING = words('get list search find show describe check read view count query');
const MAKING = words('create add update set make');

/** So it is at its end. */
const ABOUT = words('info notice status history log logs details policy');

/** What tells of actions, or of who may do them. */
const OF_ACTIONS = words('log logs audit track permission permissions access grant hook webhook webhooks');

/** Forced or not. */
const RENEWING = words('refresh reload update sync render fetch');

/** What an agent started itself. */
const OWN = words('shell bash task terminal');

/** Verbs that take something away from these, and are work as any other elsewhere. */
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

/** Whoever deletes one of these makes another. */
const SLIGHT = words(
  'reaction reactions emoji label labels tag tags star bookmark favorite like draft drafts tab tabs breakpoint breakpoints highlight cell cells line lines row rows ' +
    'column columns text todo todos observation observations relation relations shape slide element session breadcrumb pending background silence duplicates noise watermark whitespace filter filters formatting style styles',
);

/** What these leave is an older state, and what came after is gone. */
const TURNING_BACK = words('rollback rebuild discard overwrite revoke unprotect drain');

/** What follows one of these is not what is deleted. */
const FURTHER = /^(?:by|from|in|with|on|of|for|if|and|or|safely|v\d+)$/;

/** What git does with work that is in no commit yet, or with the commits themselves. */
const DISCARDING = words('clean restore filter rebase');

/** Until it is emptied, what was deleted can be got back. */
const BINS = words('trash bin bins recycle bucket buckets');

/** However many there are. */
const MANY = words('many bulk batch');

/** Of one thing it is work as any other. */
const OF_ALL = words('flush clear forget empty remove delete erase');

/** What is merged into a shared branch; `merge_request` is a noun. */
const MERGED = words('pull pr mr branch branches merge');

const MERGING = words('git pr mr pull branch request');

const TRUE = /^\s*(?:true|t|yes|y|on|1|force|with-lease)\s*$/i;
const HARD = /^\s*(?:--)?hard\b/i;
/** Flags of a push, and what is pushed: `+main` overwrites, `:main` deletes. */
const FORCING = /(?:^|\s)(?:-[a-z]*[fd][a-z]*|--(?:force|delete|mirror|prune)\S*|\+\S+|:[^\s:]+)(?:\s|$)/;
const FORCE = /^\s*(?:--)?force/i;

/** Statements that leave nothing to be got back, where one begins. What is quoted may look like one: then a person is asked once too often. */
const STATEMENT =
  /(?:^|[;(]|\b(?:begin|then|else|loop|do|immediate|execute|analyze)\b(?:\s*(?:\$\w{0,64}\$|['"]))?)\s*(?:drop\s+(?:table|database|warehouse|stage|dictionary|server|procedure|policy|schema|view|materialized|index|column|role|user|owned|keyspace|collection|trigger|function|extension|publication|tablespace|sequence|type)\b|truncate\b|revoke\s|(?<=then\s+)delete\b|delete\s+from\s+[^\s;)]+\s*(?:;|\)|$|returning\b|where\s+(?:true\b|(\S+)\s*=\s*\1(?:\s|;|$)))|update\s+[^\s;]+\s+set\s(?![^;]{0,2000}\bwhere\b)|create\s+or\s+replace\s+(?:transient\s+)?table\b|alter\s+table\s[^;]{1,500}\sdrop\b|rename\s+table\b)|\bdetach\s+delete\b|^\s*match\b[^;]{0,2000}\)\s*delete\s/i;
const MOST_STATEMENT = 65_536;

const ASKING = words('search searches ask find lookup docs documentation research');

// Names of arguments, their words with `_` between them.
const STATEMENTS = words(
  'sql query queries statement statements sql_query sql_queries sql_statement sql_statements raw_sql ddl cypher',
);
const FORCES = words('force forced force_push force_with_lease hard');
/** Flags that say of a call that it takes away, too; a branch that was merged is not missed. */
const TAKING = /^(?:(?:hard_)?delete|purge|destroy|wipe)(?:_(?!.*branch)\w+)?$/;
/** Of a change: where a list has one of these, it shows them. */
const TRASHED = words('in_trash trashed is_trashed move_to_trash');
const FORCED = words('push ref refs reference branch reset merge checkout switch worktree');
const PUSHING = words('mirror prune delete');
const MODES = words('mode reset_mode type hard');
/** A service of none is off. */
const COUNTS = words('replicas scale count desired_count size min_size instances dyno');
const NONE = /^\s*(?:[\w-]{1,64}=)?0+(?:\.0+)?\s*$/;
const ACTIONS = words('action operation operation_name op method verb mode sub_command subcommand');
/** As an action of something that is kept in one. */
const ACTS = words('drop clear prune drain undo rollback unlink');
const OF_ACTS = words('git rollout file files');
/** Requests that stand in a list of such, by their names: MongoDB's, DynamoDB's. */
const REQUESTS = words('delete_many delete_one delete_request');
/** A mutation of GraphQL. */
const MUTATION = /\bmutation\b[^{]{0,500}\{\s*(?:\w+\s*:\s*)?(?:delete|destroy|remove|purge)(?![a-z])/;
const LONGEST_ACTION = 64;
/** What an editor deletes, it can bring back. */
const OF_TEXTS = words('edit editor replace notebook');
const FLAGS = words('args flags options refspec refspecs branch ref refs remote_branch');
/** What says of a tool that deletes anything what it deletes. */
const KINDS = words('kind type resource_type resource object_type entity_type');

/** Does a tool whose name is made of these words take away or overwrite what can't be got back simply? @param name in lower case */
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

/** What is deleted, by a name that says so: the last word behind the verb, or in front of one that ends the name. */
function objectOf(name: readonly string[]): string {
  const at = name.findIndex((word) => DELETING.has(word));
  const end = name.findIndex((word, index) => index > at && FURTHER.test(word));
  const behind = name.slice(at + 1, end === -1 ? undefined : end);
  return (behind.length > 0 ? behind : name.slice(0, at)).at(-1) ?? '';
}

/**
 * Does a call of a tool with such a name, which says what it is about, delete it? Asked of calls, and not of tools: what a tool's name says of one thing among
 * many counts once there is one.
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

/** Does a member of an argument stand for a request to delete? @param key its words with `_` between them */
export function isRequestToDelete(key: string): boolean {
  return REQUESTS.has(key);
}

/** Does one argument of a call make it do that? @param key its name, its words with `_` between them */
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

/** What one tool is told to do of many things, as `delete_bucket`, or `DELETE` over HTTP. */
function actionDestroys(value: string, name: readonly string[]): boolean {
  if (value.length > LONGEST_ACTION || READING.has(name[0] ?? '')) return false;
  if (name.some((word) => SLIGHT.has(word) || OF_TEXTS.has(word) || OF_ACTIONS.has(word))) return false;
  const action = wordsOf(value);
  if (action.some((word) => SLIGHT.has(word))) return false;
  if (action.some((word) => DELETING_ONE.has(word)) || namesDestroying(action)) return true;
  const isOfHolder = name.some((word) => isHolder(word) || OF_ACTS.has(word));
  return isOfHolder && ACTS.has(action[0] ?? '');
}

/** Is the `query` of a tool like this a question, and no statement? */
function isLookedFor(key: string, name: readonly string[]): boolean {
  return (
    key.startsWith('quer') &&
    name.some((word) => ASKING.has(word)) &&
    !name.some((word) => word === 'sql' || word.startsWith('execut'))
  );
}

/** Does an argument of this name hold what a database is to do? */
export function isStatement(key: string): boolean {
  return STATEMENTS.has(key);
}

/** May an argument of this name make a call do that? */
export function mayDestroy(key: string): boolean {
  return (
    [STATEMENTS, FORCES, PUSHING, MODES, ACTIONS, FLAGS, KINDS, COUNTS, TRASHED].some((set) => set.has(key)) ||
    key === 'volumes' ||
    TAKING.test(key)
  );
}

/** SQL without its comments, but for those that MySQL runs all the same. Linear. */
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

/** All words that count here. */
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

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const DELETING = words('delete remove drop destroy erase rm del terminate reset uninstall unpublish');

/** These leave nothing, whatever they are done to. */
const WIPING = words('destroy wipe purge nuke prune truncate flushall flushdb deletion');

/** What holds the work of others, and is gone with all that is in it. */
const HOLDERS = words(
  'repository repositories repo repos branch branches database databases db table tables volume volumes bucket buckets cluster clusters namespace namespaces ' +
    'project projects organization org workspace instance instances vm vms droplet disk disks snapshot snapshots backup backups stack stacks keyspace ' +
    'helm kubectl',
);

/** The same where they are what is deleted, and not whose part is: `delete_collection`, but no comment of one. */
const HOLDERS_LAST = words(
  'collection collections index indexes indices schema schemas dataset datasets service services site sites website websites app apps resource resources ' +
    'deployment deployments node nodes release releases object objects blob blobs package packages dashboard dashboards zone zones',
);

/** What follows one of these is not what is deleted. */
const FURTHER = /^(?:by|from|in|with|on|of|for|if|and|or|safely|v\d+)$/;

/** What git does with work that is in no commit yet, or with the commits themselves. */
const DISCARDING = words('clean restore filter rebase');

/** Until it is emptied, what was deleted can be got back. */
const BINS = words('trash bin bins recycle bucket buckets');

/** However many there are. */
const MANY = words('many bulk batch');

/** What is merged into a shared branch; `merge_request` is a noun. */
const MERGED = words('pull pr mr branch branches merge');

const MERGING = words('git pr mr pull branch request');

const TRUE = /^\s*(?:true|t|yes|y|on|1|force|with-lease)\s*$/i;
const DELETES = /^\s*(?:delete|remove|drop|destroy|purge|truncate|terminate|clear|prune|wipe|erase|uninstall|drain)\b/i;
const HARD = /^\s*(?:--)?hard\b/i;
/** Flags of a push, and what is pushed: `+main` overwrites, `:main` deletes. */
const FORCING = /(?:^|\s)(?:-[a-z]*[fd][a-z]*|--(?:force|delete|mirror|prune)\S*|\+\S+|:[^\s:]+)(?:\s|$)/;
const FORCE = /^\s*(?:--)?force/i;

/** Statements that leave nothing to be got back, where one begins. What is quoted may look like one: then a person is asked once too often. */
const STATEMENT =
  /(?:^|[;(]|\b(?:begin|then|else|loop|do|immediate|execute|analyze)\b(?:\s*(?:\$\w{0,64}\$|['"]))?)\s*(?:drop\s+(?:table|database|schema|view|materialized|index|column|role|user|owned|keyspace|collection|trigger|function|extension|publication|tablespace|sequence|type)\b|truncate\b|revoke\s|(?<=then\s+)delete\b|delete\s+from\s+[^\s;]+\s*(?:;|$|where\s+(?:true\b|(\S+)\s*=\s*\1(?:\s|;|$)))|update\s+[^\s;]+\s+set\s(?![^;]{0,2000}\bwhere\b)|create\s+or\s+replace\s+(?:transient\s+)?table\b|alter\s+table\s[^;]{1,500}\sdrop\b|rename\s+table\b)|\bdetach\s+delete\b/i;
const MOST_STATEMENT = 65_536;

const ASKING = words('search searches ask find lookup docs documentation research');

// Names of arguments, their words with `_` between them.
const STATEMENTS = words(
  'sql query queries statement statements sql_query sql_queries sql_statement sql_statements raw_sql ddl cypher',
);
const FORCES = words('force forced force_push force_with_lease hard');
const FORCED = words('push ref refs reference branch reset merge checkout switch worktree');
const PUSHING = words('mirror prune delete');
const MODES = words('mode reset_mode type hard');
/** A service of none is off. */
const COUNTS = words('replicas scale count desired_count size min_size instances dyno');
const NONE = /^\s*(?:[\w-]{1,64}=)?0+(?:\.0+)?\s*$/;
const ACTIONS = words('action operation op method verb mode');
const FLAGS = words('args flags options refspec refspecs branch ref refs remote_branch');
/** What says of a tool that deletes anything what it deletes. */
const KINDS = words('kind type resource_type resource object_type entity_type');

/** Does a tool whose name is made of these words take away or overwrite what can't be got back simply? @param name in lower case */
export function namesDestroying(name: readonly string[]): boolean {
  const has = (set: ReadonlySet<string>): boolean => name.some((word) => set.has(word));
  const [first = ''] = name;
  if (first === 'get' || first === 'list' || first === 'search' || first === 'find') return false;
  if (has(WIPING) || (name.includes('git') && has(DISCARDING))) return true;
  if (has(DELETING) && (has(HOLDERS) || has(MANY) || HOLDERS_LAST.has(objectOf(name)))) return true;
  if (name.includes('force') && (name.includes('push') || name.includes('delete'))) return true;
  if (name.includes('hard') && name.includes('reset')) return true;
  if (first === 'accept' && name.includes('merge')) return true;
  if (first === 'unpublish' && name.length === 1) return true;
  if (first === 'empty' && has(BINS)) return true;
  const isMerge = name.some((word, index) => word === 'merge' && MERGED.has(name[index + 1] ?? ''));
  return isMerge || (name.at(-1) === 'merge' && (name.length === 1 || name.some((word) => MERGING.has(word))));
}

/** What is deleted, by a name that says so: the last word behind the verb, or in front of one that ends the name. */
function objectOf(name: readonly string[]): string {
  const at = name.findIndex((word) => DELETING.has(word));
  const end = name.findIndex((word, index) => index > at && FURTHER.test(word));
  const behind = name.slice(at + 1, end === -1 ? undefined : end);
  return (behind.length > 0 ? behind : name.slice(0, at)).at(-1) ?? '';
}

/** Does one argument of a call make it do that? @param key its name, its words with `_` between them */
export function argumentDestroys(key: string, value: string, name: readonly string[]): boolean {
  if (STATEMENTS.has(key) && isLookedFor(key, name)) return false;
  if (STATEMENTS.has(key)) return value.length > MOST_STATEMENT || STATEMENT.test(withoutComments(value));
  if (FORCES.has(key)) return TRUE.test(value) && name.some((word) => FORCED.has(word) || DELETING.has(word));
  if (COUNTS.has(key)) return NONE.test(value) && name.includes('scale');
  const isPush = name.includes('push');
  if (isPush && PUSHING.has(key)) return TRUE.test(value);
  if (isPush && FLAGS.has(key)) return FORCING.test(value);
  if (MODES.has(key) && ((HARD.test(value) && name.includes('reset')) || (FORCE.test(value) && isPush))) return true;
  if (ACTIONS.has(key))
    return DELETES.test(value) && name.some((word) => HOLDERS.has(word) || HOLDERS_LAST.has(word) || word === 'git');
  if (!KINDS.has(key) || !name.some((word) => DELETING.has(word))) return false;
  return value
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => HOLDERS.has(word) || HOLDERS_LAST.has(word) || word === 'ns');
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
  return [STATEMENTS, FORCES, PUSHING, MODES, ACTIONS, FLAGS, KINDS, COUNTS].some((set) => set.has(key));
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
    ...BINS,
    'empty',
    'git',
    'force',
    'hard',
    'merge',
  ];
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const DELETING = words('delete remove drop destroy erase rm del terminate reset');

/** These leave nothing, whatever they are done to. */
const WIPING = words('destroy wipe purge nuke prune truncate flushall flushdb');

/** What holds the work of others, and is gone with all that is in it. */
const HOLDERS = words(
  'repository repositories repo repos branch branches database databases db table tables volume volumes bucket buckets cluster clusters namespace namespaces ' +
    'project projects organization org workspace instance instances vm vms droplet disk disks snapshot snapshots backup backups stack stacks keyspace',
);

/** What is merged into a shared branch; `merge_request` is a noun. */
const MERGED = words('pull pr mr branch branches merge');

const MERGING = words('git pr mr pull branch request');

const TRUE = /^\s*(?:true|t|yes|y|on|1|force|with-lease)\s*$/i;
const DELETES = /^\s*(?:delete|remove|drop|destroy|purge|truncate|terminate)\b/i;
const HARD = /^\s*(?:--)?hard\b/i;
const FORCING = /(?:^|\s)(?:-f|--force\S*|\+\S+)(?:\s|$)/;

/** Statements that leave nothing to be got back, where one begins. What is quoted may look like one: then a person is asked once too often. */
const STATEMENT =
  /(?:^|[;(])\s*(?:drop\s+(?:table|database|schema|view|materialized|index|column|role|user|owned|keyspace|collection|trigger|function|extension|publication|tablespace|sequence|type)\b|truncate\b|delete\s+from\s+\S+\s*(?:;|$)|alter\s+table\s[^;]{1,500}\sdrop\b)/i;
const MOST_STATEMENT = 65_536;

// Names of arguments, their words with `_` between them.
const STATEMENTS = words('sql query queries statement statements sql_query sql_statement raw_sql ddl');
const FORCES = words('force forced force_push force_with_lease hard');
const FORCED = words('push ref refs reference branch reset merge');
const MODES = words('mode reset_mode type hard');
const ACTIONS = words('action operation op method verb mode');
const FLAGS = words('args flags options refspec refspecs');

/** Does a tool whose name is made of these words take away or overwrite what can't be got back simply? @param name in lower case */
export function namesDestroying(name: readonly string[]): boolean {
  const has = (set: ReadonlySet<string>): boolean => name.some((word) => set.has(word));
  const [first = ''] = name;
  if (first === 'get' || first === 'list' || first === 'search' || first === 'find') return false;
  if (has(WIPING) || (name.includes('clean') && name.includes('git'))) return true;
  if (has(DELETING) && has(HOLDERS)) return true;
  if (name.includes('force') && (name.includes('push') || name.includes('delete'))) return true;
  if (name.includes('hard') && name.includes('reset')) return true;
  const isMerge = name.some((word, index) => word === 'merge' && MERGED.has(name[index + 1] ?? ''));
  return isMerge || (name.at(-1) === 'merge' && (name.length === 1 || name.some((word) => MERGING.has(word))));
}

/** Does one argument of a call make it do that? @param key its name, its words with `_` between them */
export function argumentDestroys(key: string, value: string, name: readonly string[]): boolean {
  if (STATEMENTS.has(key)) return value.length > MOST_STATEMENT || STATEMENT.test(withoutComments(value));
  if (FORCES.has(key)) return TRUE.test(value) && name.some((word) => FORCED.has(word));
  if (MODES.has(key)) return HARD.test(value) && name.includes('reset');
  if (ACTIONS.has(key)) return DELETES.test(value) && name.some((word) => HOLDERS.has(word));
  return FLAGS.has(key) && FORCING.test(value) && name.includes('push');
}

/** Does an argument of this name hold what a database is to do? */
export function isStatement(key: string): boolean {
  return STATEMENTS.has(key);
}

/** May an argument of this name make a call do that? */
export function mayDestroy(key: string): boolean {
  return [STATEMENTS, FORCES, MODES, ACTIONS, FLAGS].some((set) => set.has(key));
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
  return [...DELETING, ...WIPING, ...HOLDERS, ...FORCED, 'clean', 'git', 'force', 'hard', 'merge'];
}

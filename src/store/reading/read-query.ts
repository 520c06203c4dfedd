import type { Glob } from '../../core/patterns/glob.ts';

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Which events: all that is given must hold. */
export interface EventQuery {
  readonly types?: readonly string[] | undefined;
  readonly session?: string | undefined;
  readonly server?: Glob | undefined;
  readonly tool?: Glob | undefined;
  /** Of the rule by which detection found something; other events have none. */
  readonly rule?: Glob | undefined;
  readonly action?: 'allow' | 'block' | 'alert' | 'hide' | 'redact' | 'prompt' | undefined;
  /** This one or a worse one. */
  readonly severity?: Severity | undefined;
  /** Milliseconds since the epoch; events of that very time are in. */
  readonly since?: number | undefined;
  /** Milliseconds since the epoch; events of that very time are out. */
  readonly until?: number | undefined;
  /** Only events committed after this one. */
  readonly after?: number | undefined;
  /** Only this event and those that were committed before. */
  readonly upTo?: number | undefined;
}

export type SqlValue = string | number;

/** A part of a `WHERE` over `events e`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** What SQL can't say: these must match these globs besides. */
  readonly globs: readonly { readonly expression: string; readonly glob: Glob }[];
}

/** What each filter by name looks at. An edit may have made a body something else than JSON. */
const NAMES = {
  server: 'e.server',
  tool: 'e.tool',
  rule: "CASE WHEN json_valid(e.body) THEN json_extract(e.body, '$.detection.pattern') END",
} as const;

/** A query as SQL; names without wildcards are compared there too. */
export function toCondition(query: EventQuery): Condition {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const globs: { expression: string; glob: Glob }[] = [];
  const add = (sql: string, ...given: readonly SqlValue[]): void => {
    parts.push(sql);
    values.push(...given);
  };
  const addOneOf = (column: string, names: readonly string[]): void =>
    add(`e.${column} IN (${names.map(() => '?').join(', ')})`, ...names);

  if (query.since !== undefined) add('e.time >= ?', query.since);
  if (query.until !== undefined) add('e.time < ?', query.until);
  if (query.after !== undefined) add('e.seq > ?', query.after);
  if (query.upTo !== undefined) add('e.seq <= ?', query.upTo);
  if (query.types !== undefined) addOneOf('type', query.types);
  if (query.session !== undefined) add('e.session = ?', query.session);
  if (query.action !== undefined) add('e.action = ?', query.action);
  if (query.severity !== undefined) addOneOf('severity', SEVERITIES.slice(SEVERITIES.indexOf(query.severity)));
  for (const name of ['server', 'tool', 'rule'] as const) {
    const glob = query[name];
    const expression = NAMES[name];
    if (glob?.isLiteral === true) add(`${expression} = ?`, glob.literalPrefix);
    else if (glob !== undefined) globs.push({ expression, glob });
  }
  return { sql: parts.length === 0 ? 'TRUE' : parts.join(' AND '), values, globs };
}

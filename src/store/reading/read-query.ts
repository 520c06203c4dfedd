import type { Glob } from '../../core/patterns/glob.ts';

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A query for events; all given conditions must hold. */
export interface EventQuery {
  readonly types?: readonly string[] | undefined;
  readonly session?: string | undefined;
  readonly server?: Glob | undefined;
  readonly tool?: Glob | undefined;
  /** The rule by which detection found something; other events have none. */
  readonly rule?: Glob | undefined;
  readonly action?: 'allow' | 'block' | 'alert' | 'hide' | 'redact' | 'prompt' | undefined;
  /** This severity or a worse one. */
  readonly severity?: Severity | undefined;
  /** Milliseconds since the epoch, inclusive. */
  readonly since?: number | undefined;
  /** Milliseconds since the epoch, exclusive. */
  readonly until?: number | undefined;
  /** Only events committed after this one. */
  readonly after?: number | undefined;
  /** Only this event and those committed before it. */
  readonly upTo?: number | undefined;
}

export type SqlValue = string | number;

/** A part of a `WHERE` over `events e`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** Globs that SQL can't express; they must match as well. */
  readonly globs: readonly { readonly expression: string; readonly glob: Glob }[];
}

/** The expression that each filter by name looks at. An edited body may not be JSON. */
const NAMES = {
  server: 'e.server',
  tool: 'e.tool',
  rule: "CASE WHEN json_valid(e.body) THEN json_extract(e.body, '$.detection.pattern') END",
} as const;

/** Turns a query into SQL, which also compares names without wildcards. */
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

/** The columns under which a store lists an event, besides its body. */
export interface EventColumns {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly type: string;
  readonly session: string;
  readonly server: string;
  readonly tool: string | null;
  readonly action: string | null;
  readonly severity: string | null;
}

/** Each column and the field of the body that it repeats. */
const FIELDS = {
  type: 'type',
  session: 'session_id',
  server: 'server_id',
  tool: 'tool_name',
  action: 'action',
  severity: 'severity',
} as const;

/**
 * Returns the names of the columns that differ from the body; all of them if the body is not a JSON object. A field that the body lacks
 * counts as null, or as empty text in a column that is never null.
 */
export function findDifferingColumns(columns: EventColumns, body: string): string[] {
  const fields = parseBody(body);
  if (fields === undefined) return ['time', ...Object.keys(FIELDS)];
  const differing: string[] = [];
  const { timestamp } = fields;
  if (typeof timestamp !== 'string' || Date.parse(timestamp) !== columns.time) differing.push('time');
  for (const [column, field] of Object.entries(FIELDS) as [keyof typeof FIELDS, string][]) {
    const isNullable = column === 'tool' || column === 'action' || column === 'severity';
    if ((fields[field] ?? (isNullable ? null : '')) !== columns[column]) differing.push(column);
  }
  return differing;
}

/**
 * Parses an event's body; undefined if it is not a JSON object, which only an edit can cause. A number that a double can't hold keeps its
 * spelling when it is written as JSON again.
 */
export function parseBody(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body, LONG_NUMBER.test(body) ? keepNumber : undefined);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    // The reader of the event sees that its body is unreadable.
    return undefined;
  }
}

/** Most bodies contain no such number, and are parsed without a reviver. */
const LONG_NUMBER = /[\d.]{16}|\d[eE][+-]?\d/;

/** TypeScript's library lacks `rawJSON`; every Node that clawai supports has it. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function keepNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return /[\d.]{16}|[eE]/.test(source) ? rawJSON(source) : value;
}

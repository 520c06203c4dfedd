/** One line of the table: what was measured, and what it must not exceed or fall below. */
export interface Row {
  readonly name: string;
  /** Of `value`, and of `pipe` and `clawai` unless those say theirs. */
  readonly unit: string;
  readonly value: number;
  /** For people, e.g. `≤ 30`. */
  readonly budget?: string;
  /** Is the budget met? */
  readonly ok?: boolean;
  /** What the two sides measured, with their unit, where `value` is made of two. */
  readonly pipe?: string;
  readonly clawai?: string;
}

/** A row whose value may be at most so much. */
export function atMost(limit: number, row: Omit<Row, 'budget' | 'ok'>): Row {
  return { ...row, budget: `≤ ${limit}`, ok: row.value <= limit };
}

/** A row whose value must be at least so much. */
export function atLeast(limit: number, row: Omit<Row, 'budget' | 'ok'>): Row {
  return { ...row, budget: `≥ ${limit}`, ok: row.value >= limit };
}

import type { Question } from '../../gate/question-port.ts';
import { Table, type TableOptions } from '../terminal/table.ts';
import { subjectText, timeLeft } from './question-text.ts';

/** What waits, as a table; one sentence where nothing does. */
export function formatWaiting(questions: readonly Question[], now: number, options: TableOptions): string {
  if (questions.length === 0) return 'nothing waits for you\n';
  const table = new Table<Question>(
    [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'LEFT', cell: (question) => timeLeft(question, now) },
      { title: 'SERVER', least: 8, cell: ({ server }) => server },
      { title: 'CALL', least: 12, cell: subjectText },
      { title: 'RULE', least: 8, cell: ({ rule }) => rule ?? '-' },
    ],
    options,
  );
  return table.format(questions);
}

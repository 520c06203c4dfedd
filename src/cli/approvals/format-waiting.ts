import type { Question } from '../../gate/question-port.ts';
import { Table } from '../table.ts';
import { subjectText, timeLeft } from './question-text.ts';

/** What waits, as a table; one sentence where nothing does. */
export function formatWaiting(questions: readonly Question[], now: number): string {
  if (questions.length === 0) return 'nothing waits for you\n';
  const table = new Table<Question>(
    [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'LEFT', cell: (question) => timeLeft(question, now) },
      { title: 'SERVER', cell: ({ server }) => server },
      { title: 'CALL', cell: subjectText },
      { title: 'RULE', cell: ({ rule }) => rule ?? '-' },
    ],
    { width: undefined, colour: false },
  );
  return table.format(questions);
}

import { existsSync } from 'node:fs';
import type { Question } from '../../src/gate/ports/approval-port.ts';
import { SqliteQuestions } from '../../src/store/approval-store.ts';
import type { Sandbox } from './sandbox.ts';
import { until } from './until.ts';

interface Wanted {
  readonly count?: number;
  /** Tells which calls are meant; all without it. */
  readonly isMeant?: (question: Question) => boolean;
  /** Tells that nothing will wait any more. */
  readonly isOver?: () => boolean;
}

/**
 * The calls that wait for a person, as soon as there are so many. This process reads the store: a command that is started again and again
 * takes the processor from what is waited for.
 */
export async function waitingCalls(
  { storeFile }: Sandbox,
  { count = 1, isMeant = () => true, isOver = () => false }: Wanted = {},
): Promise<readonly Question[]> {
  const store = new SqliteQuestions({ file: storeFile, sync: 'normal' });
  let found: readonly Question[] = [];
  try {
    await until(`calls wait: ${count}`, () => {
      if (existsSync(storeFile)) found = (store.waiting(Date.now()) ?? []).filter(isMeant);
      return found.length >= count || isOver();
    });
  } finally {
    store.close();
  }
  return found;
}

/** The first call that waits, as soon as one does. */
export async function waitingCall(sandbox: Sandbox): Promise<Question> {
  const [first] = await waitingCalls(sandbox);
  if (first === undefined) throw new Error('it should be there');
  return first;
}

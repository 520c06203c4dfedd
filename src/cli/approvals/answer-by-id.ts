import { parseQuestionId } from '../../approval/question-id.ts';
import { ClawaiError } from '../../errors.ts';
import type { GivenAnswer, QuestionStore } from '../../gate/question-port.ts';
import { answerQuestion, describePerson, patiently } from './answer-question.ts';
import { createAlways, type PrepareAlways } from './always.ts';
import { askYes } from '../terminal/ask-yes.ts';
import { formatDiff } from '../terminal/colour.ts';
import { openQuestions } from './open-questions.ts';
import { requirePerson } from '../terminal/person.ts';

export interface AnswerByIdOptions extends Pick<GivenAnswer, 'state' | 'remember'> {
  /** As it was typed. */
  readonly command: 'approve' | 'deny';
  readonly words: readonly string[];
  readonly config: string | undefined;
}

/**
 * Answers the call that a command line names, and says what came of it.
 *
 * @returns whether this is the answer that counts
 * @throws ClawaiError `usage`, `person_required`, `config_*` or `store_*`
 */
export async function answerById({ command, words, config, state, remember }: AnswerByIdOptions): Promise<boolean> {
  const [typed, ...others] = words;
  if (typed === undefined || others.length > 0) {
    throw new ClawaiError(`clawai ${command} takes the id of one request`, {
      code: 'usage',
      hint: 'clawai approvals shows them',
    });
  }
  const id = parseQuestionId(typed);
  if (id === undefined) {
    const message = `${JSON.stringify(typed)} is no id of a request`;
    throw new ClawaiError(message, { code: 'usage', hint: 'it has six letters and digits, as in K7Q2MX' });
  }
  requirePerson(command);
  const { store, stateDir, isThere } = await openQuestions(config);
  if (!isThere()) return say(false, `there is no request ${id}`);
  try {
    const changed = remember === 'always' ? await changePolicy(store, id, createAlways(stateDir)) : 'not asked';
    if (changed === 'no') {
      const isWaiting = (await patiently(() => store.find(id)))?.state === 'waiting';
      return say(false, `${id}: the policy stays as it is${isWaiting ? '; the request still waits' : ''}`);
    }
    const { isTaken, text } = await answerQuestion(store, id, { state, remember, by: describePerson() });
    return say(isTaken, !isTaken && changed === 'yes' ? `the policy was changed. ${text}` : text);
  } finally {
    store.close();
  }
}

/** Shows what the policy would become, and makes the change where the person says yes. Nobody is asked about what is over. */
async function changePolicy(store: QuestionStore, id: string, prepareAlways: PrepareAlways): Promise<'yes' | 'no' | 'not asked'> {
  const question = await patiently(() => store.find(id));
  // What is wrong with it is said when it is answered.
  if (question?.state !== 'waiting') return 'not asked';
  const change = await prepareAlways(question);
  process.stdout.write(`${formatDiff(change.diff, { isAsked: true })}\n`);
  if (!(await askYes('Change the policy so?'))) return 'no';
  await change.apply();
  return 'yes';
}

function say(isTaken: boolean, text: string): boolean {
  if (isTaken) process.stdout.write(`${text}\n`);
  else process.stderr.write(`clawai: ${text}\n`);
  return isTaken;
}

import { randomBytes } from 'node:crypto';
import { parseQuestionId } from '../../approval/to-question.ts';
import type { QuestionStore } from '../../gate/ports/approval-port.ts';
import type { AlwaysResult, AnswerResult } from '../../page/wire.ts';
import { createAlways } from '../approvals/always.ts';
import { answerQuestion, describePerson, patiently } from '../approvals/answer-question.ts';
import { usageError } from '../command.ts';
import type { RuleChange } from '../policy/edit-policy.ts';
import { visible } from '../terminal/text.ts';
import type { Fields } from '../log/event-fields.ts';

/** Changes of the policy that were shown and not made; older ones are forgotten. */
const MOST_SHOWN = 20;

/** The answers of the page, which are those of `clawai approve` and `clawai deny`. */
export class Answers {
  readonly #store: QuestionStore;
  readonly #prepare: ReturnType<typeof createAlways>;
  readonly #shown = new Map<string, { readonly id: string; readonly change: RuleChange }>();
  readonly #by = describePerson('the dashboard');

  constructor(store: QuestionStore, stateDir: string) {
    this.#store = store;
    this.#prepare = createAlways(stateDir);
  }

  /** Allows once or for the session, or denies. */
  async answer(asked: Fields): Promise<AnswerResult> {
    const { answer } = asked;
    if (answer !== 'once' && answer !== 'session' && answer !== 'deny') throw usageError('there is no such answer', '');
    const state = answer === 'deny' ? 'refused' : 'granted';
    return answerQuestion(this.#store, idOf(asked), { state, remember: answer === 'session' ? answer : 'once', by: this.#by });
  }

  /** Shows what the policy would become, by each rule that there is to choose. */
  async showAlways(asked: Fields): Promise<AlwaysResult> {
    const id = idOf(asked);
    const question = await patiently(() => this.#store.find(id));
    if (question?.state !== 'waiting') throw usageError(`${id} does not wait any more`, '');
    const changes = await this.#prepare(question);
    const choices = changes.map((change) => {
      const name = randomBytes(12).toString('hex');
      this.#shown.set(name, { id, change });
      return { words: visible(change.words), diff: change.diff.split('\n').map(visible), change: name };
    });
    for (const [oldest] of this.#shown) if (this.#shown.size > MOST_SHOWN) this.#shown.delete(oldest);
    return { choices };
  }

  /** Makes the change that was shown, and allows the call. A call that came to its end meanwhile leaves it at the change; a no does not. */
  async always(asked: Fields): Promise<AnswerResult> {
    const name = String(asked['change']);
    const shown = this.#shown.get(name);
    if (shown === undefined) throw usageError('this change was not shown, or is made already', '');
    this.#shown.delete(name);
    const question = await patiently(() => this.#store.find(shown.id));
    if (question?.state === 'refused') throw usageError(`${shown.id} was denied already, so the policy stays as it is`, '');
    await shown.change.apply();
    const given = { state: 'granted', remember: 'always', by: this.#by } as const;
    const { isTaken, text } = await answerQuestion(this.#store, shown.id, given);
    return { isTaken, text: isTaken ? text : `the policy was changed. ${text}` };
  }
}

function idOf({ id }: Fields): string {
  const known = typeof id === 'string' ? parseQuestionId(id) : undefined;
  if (known === undefined) throw usageError('this is no id of a request', '');
  return known;
}

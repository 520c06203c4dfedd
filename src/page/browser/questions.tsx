import type { AlwaysResult, AnswerResult, WireChoice, WireQuestion } from '../wire.ts';
import { Dialog, Lines, useKeys, useNow } from './parts.tsx';
import { useEffect, useRef, useState } from './preact.ts';
import { type Live, messageOf, post } from './requests.ts';

/** Milliseconds for which a question has to be on the screen before it takes an answer: keys and clicks before were meant for another. */
const SETTLE_MS = 600;

type Answer = 'once' | 'session' | 'always' | 'deny';

const ANSWERS: readonly { readonly answer: Answer; readonly key: string; readonly label: string; readonly effect: string }[] = [
  { answer: 'once', key: 'a', label: 'Allow once', effect: 'This call is made. The next one like it asks again.' },
  {
    answer: 'session',
    key: 's',
    label: 'Allow for the session',
    effect: 'This call, and calls just like it until the session ends, are made.',
  },
  { answer: 'always', key: 'w', label: 'Always…', effect: 'Shows a rule for such calls, which you can add to your policy.' },
  { answer: 'deny', key: 'd', label: 'Deny', effect: 'The call is not made. The model is told that a person refused it.' },
];

/** Shows the calls that wait for a person, and takes answers. */
export function Questions({ live: { questions, ahead, state } }: { readonly live: Live }) {
  const [selected, setSelected] = useState<string>();
  const [notice, setNotice] = useState('');
  const [choices, setChoices] = useState<readonly WireChoice[]>([]);
  const [isBusy, setBusy] = useState(false);
  /** Ids that were answered here: the feed says a moment later that they are gone, perhaps along with the next question. */
  const answered = useRef(new Set<string>());
  const isOpen = ({ id }: WireQuestion): boolean => !answered.current.has(id);
  const came = useRef({ id: '', at: 0 });
  const current = questions.find(({ id }) => id === selected);
  if (came.current.id !== (current?.id ?? '')) came.current = { id: current?.id ?? '', at: performance.now() };
  useEffect(() => {
    // If the chosen one is answered elsewhere, a person has to choose the next: nothing is chosen by itself while others wait.
    if (questions.length === 0) setSelected(undefined);
    else if (selected === undefined) setSelected(questions.find(isOpen)?.id);
  }, [questions, selected]);

  const carryOut = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    try {
      setNotice(await work());
    } catch (error) {
      setNotice(messageOf(error));
    }
    setBusy(false);
  };
  const give = (question: WireQuestion, answer: Answer): void => {
    if (isBusy) return;
    if (performance.now() - came.current.at < SETTLE_MS)
      return setNotice('This request has only just come up: look at it, and answer again.');
    const { id } = question;
    if (!isPossible(question, answer)) return setNotice(`${id}: this answer is not possible here.`);
    void carryOut(async () => {
      if (answer !== 'always') {
        const { text } = await post<AnswerResult>('answer', { id, answer });
        answered.current.add(id);
        const at = questions.findIndex((each) => each.id === id);
        setSelected((questions.slice(at + 1).find(isOpen) ?? questions.slice(0, Math.max(0, at)).findLast(isOpen))?.id);
        return text;
      }
      setChoices((await post<AlwaysResult>('always/show', { id })).choices);
      return '';
    });
  };
  const move = (by: number): void => {
    const at = questions.findIndex(({ id }) => id === current?.id);
    const next = questions[Math.min(questions.length - 1, Math.max(0, at + by))];
    if (next !== undefined) setSelected(next.id);
  };
  useKeys((key) => {
    if (key === 'j' || key === 'ArrowDown') move(1);
    else if (key === 'k' || key === 'ArrowUp') move(-1);
    const known = ANSWERS.find((each) => each.key === key);
    if (known === undefined) return;
    if (current === undefined) setNotice(questions.length === 0 ? 'Nothing waits for you.' : 'Choose a request first.');
    else give(current, known.answer);
  });

  return (
    <section aria-labelledby="questions-title">
      <h1 id="questions-title">Questions</h1>
      <p class="notice" role="status">
        {notice}
      </p>
      {questions.length === 0 && <p class="quiet">{state === 'connecting' ? 'Reading…' : 'Nothing waits for you.'}</p>}
      <ol class="questions">
        {questions.map((question) => (
          <Question
            key={question.id}
            question={question}
            ahead={ahead}
            isCurrent={question.id === current?.id}
            isBusy={isBusy}
            choose={() => setSelected(question.id)}
            give={(answer) => give(question, answer)}
          />
        ))}
      </ol>
      {choices.length > 0 && (
        <ChangeDialog
          choices={choices}
          onClose={() => setChoices([])}
          apply={(change) => void carryOut(async () => (await post<AnswerResult>('always', { change })).text)}
        />
      )}
    </section>
  );
}

interface QuestionProps {
  readonly question: WireQuestion;
  readonly ahead: number;
  readonly isCurrent: boolean;
  readonly isBusy: boolean;
  readonly choose: () => void;
  readonly give: (answer: Answer) => void;
}

function Question({ question, ahead, isCurrent, isBusy, choose, give }: QuestionProps) {
  const { id, server, subject, session, rule, why, details } = question;
  const now = useNow() + ahead;
  const box = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const left = Math.max(0, Math.ceil((question.expiresAt - now) / 1000));
  return (
    <li ref={box} class={isCurrent ? 'card current' : 'card'} aria-current={isCurrent ? 'true' : undefined}>
      <h2>
        <code>{id}</code> <b>{server}</b> {subject}
      </h2>
      <p>
        Session <b>{session}</b> asks for this call.{' '}
        {rule !== undefined && (
          <>
            Rule <b>{rule}</b> asks you first{why === undefined ? '.' : ': '}
          </>
        )}
        {why} <span class="quiet">It is denied in {left} s.</span>
      </p>
      {!isCurrent && (
        <button type="button" onClick={choose}>
          Look at it
        </button>
      )}
      {isCurrent && (
        <>
          <Lines lines={details} label={`Everything about ${id}`} />
          <ul class="answers">
            {ANSWERS.filter(({ answer }) => isPossible(question, answer)).map(({ answer, key, label, effect }) => (
              <li key={answer}>
                <button
                  type="button"
                  class={answer}
                  disabled={isBusy}
                  onClick={() => give(answer)}
                  aria-describedby={`${id}-${answer}`}
                >
                  {label} <kbd>{key}</kbd>
                </button>
                <span id={`${id}-${answer}`}>{effect}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </li>
  );
}

function isPossible({ canRemember, canAlways }: WireQuestion, answer: Answer): boolean {
  if (answer === 'session') return canRemember;
  return answer === 'always' ? canAlways : true;
}

interface ChangeProps {
  readonly choices: readonly WireChoice[];
  readonly onClose: () => void;
  readonly apply: (change: string) => void;
}

function ChangeDialog({ choices, onClose, apply }: ChangeProps) {
  const [at, setAt] = useState(0);
  const shownAt = useRef({ at: -1, time: 0 });
  if (shownAt.current.at !== at) shownAt.current = { at, time: performance.now() };
  const chosen = choices[at];
  return (
    <Dialog title="This is what your policy would become" onClose={onClose}>
      <fieldset>
        <legend>The rule allows</legend>
        {choices.map(({ words }, index) => (
          <label key={index}>
            <input type="radio" name="choice" checked={index === at} onChange={() => setAt(index)} /> {words}
          </label>
        ))}
      </fieldset>
      <Lines lines={chosen?.diff ?? []} label="Change of the policy" isDiff />
      <p class="bar">
        <button
          type="button"
          class="always"
          onClick={({ currentTarget }) => {
            // A rule, too, has to be on the screen for long enough to be read.
            if (chosen === undefined || performance.now() - shownAt.current.time < SETTLE_MS) return;
            apply(chosen.change);
            currentTarget.closest('dialog')?.close();
          }}
        >
          Change the policy, and allow the call
        </button>
      </p>
    </Dialog>
  );
}

import type { ExplainResult, PolicyResult, WireRule } from '../wire.ts';
import { Action, count, Lines, Time, View } from './parts.tsx';
import { useState } from './preact.ts';
import { messageOf, post, useView } from './requests.ts';

/** The rules with the calls that they decided, and a call to try. */
export function Policy() {
  const loaded = useView<PolicyResult>('policy');
  return (
    <section aria-labelledby="policy-title">
      <h1 id="policy-title">Policy</h1>
      <Try />
      <View loaded={loaded}>
        {({ file, project, note, fallback, rules, others }) => (
          <>
            <p>
              <code>{file}</code>
              {project !== undefined && (
                <>
                  , and the project's <code>{project}</code>
                </>
              )}
              {note !== undefined && <> ({note})</>}. Calls without a rule: <Action action={fallback} />
            </p>
            <ol class="rules">
              {rules.map((rule) => (
                <Rule key={`${rule.source} ${rule.line} ${rule.name}`} rule={rule} />
              ))}
            </ol>
            {others.length > 0 && (
              <details>
                <summary>{count(others.length, 'rule')} on record that this policy does not have</summary>
                <ul>
                  {others.map(({ rule, calls, last }) => (
                    <li key={rule}>
                      <b>{rule}</b>: {count(calls, 'call')}, the last <Time time={last} />
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </View>
    </section>
  );
}

function Rule({ rule }: { readonly rule: WireRule }) {
  const { name, action, description, line, text, calls, callsEver, last } = rule;
  return (
    <li class="card">
      <details>
        <summary>
          <Action action={action} /> <b>{name}</b>{' '}
          <span class="quiet">
            line {line}, {count(calls, 'call')}
            {callsEver > calls && ` (${callsEver.toLocaleString('en-US')} under any policy)`}
            {last !== undefined && (
              <>
                , the last <Time time={last} />
              </>
            )}
          </span>
          {description !== undefined && <p>{description}</p>}
        </summary>
        <Lines lines={text} label={`Rule ${name} as it is written`} />
      </details>
    </li>
  );
}

/** A call that a person makes up, decided as it would be here. Nothing is called, and nothing is recorded. */
function Try() {
  const [call, setCall] = useState({ server: '', tool: '', args: '{}' });
  const [result, setResult] = useState<ExplainResult>();
  const [problem, setProblem] = useState('');
  const ask = async (): Promise<void> => {
    try {
      setResult(await post<ExplainResult>('explain', call));
      setProblem('');
    } catch (error) {
      setResult(undefined);
      setProblem(messageOf(error));
    }
  };
  const field = (name: keyof typeof call, label: string, placeholder: string) => (
    <label>
      {label}
      <input
        value={call[name]}
        placeholder={placeholder}
        spellcheck={false}
        onInput={({ currentTarget }) => setCall({ ...call, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <form
      class="card try"
      aria-label="Try a call"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      {field('server', 'Server', 'files')}
      {field('tool', 'Tool', 'read_file')}
      {field('args', 'Arguments (JSON)', '{"path": "/etc/hosts"}')}
      <button type="submit">Try</button>
      <div role="status">
        {problem !== '' && <p class="problem">{problem}</p>}
        {result !== undefined && (
          <>
            <p>
              <Action action={result.action} /> <span class="quiet">Nothing was called.</span>
            </p>
            <Lines lines={result.lines} label="Explanation" />
          </>
        )}
      </div>
    </form>
  );
}

import { EXIT } from '../../errors.ts';
import type { Question } from '../../gate/question-port.ts';
import { describePerson, patiently } from './answer-question.ts';
import { hasColour } from '../colour.ts';
import { defineCommand } from '../command.ts';
import { openQuestions } from './open-questions.ts';
import { STORE_FLAGS } from '../open-store.ts';
import { requirePerson } from '../require-person.ts';

/** `clawai approvals`: what waits for a person, and the keys to answer. */
export const approvalsCommand = defineCommand({
  meta: {
    name: 'approvals',
    description: 'Show the calls that wait for a person, and answer them.',
    notes: [
      'A call waits here where a rule of the policy says "prompt". y allows it once, s allows calls just like it for the rest of the ' +
        'session, a has the policy allow such calls always and shows the change first, n denies it. Nobody answers in time: it is denied.',
      'Without a terminal the calls are listed, and nothing can be answered: exit code 2, or 0 with --json.',
    ],
    examples: ['clawai approvals', 'clawai approvals --json'],
  },
  args: {
    json: { type: 'boolean', description: 'Print what waits, one JSON object per line, and answer nothing.' },
    ...STORE_FLAGS,
  },
  async run({ flags }) {
    const { store, isThere } = await openQuestions(flags.config);
    try {
      if (!flags.json && process.stdin.isTTY && process.stdout.isTTY) {
        requirePerson('approvals');
        const { showApprovals } = await import('./show-approvals.ts');
        await showApprovals({ config: flags.config, colour: hasColour(process.stdout), by: describePerson() });
        return EXIT.ok;
      }
      const questions = isThere() ? await patiently(() => store.waiting(Date.now())) : [];
      if (flags.json) {
        process.stdout.write(questions.map((question) => `${toJson(question)}\n`).join(''));
        return EXIT.ok;
      }
      const { formatWaiting } = await import('./format-waiting.ts');
      process.stdout.write(formatWaiting(questions, Date.now()));
      process.stderr.write('clawai: to answer, run clawai approvals in a terminal\n');
      return EXIT.usage;
    } finally {
      store.close();
    }
  },
});

/** One line. Characters that could steer a terminal are escaped, which JSON may do with any. */
function toJson(question: Question): string {
  const { id, session, server, method, tool, resource, prompt, rule, description, summary, askedAt, expiresAt } = question;
  const fields = {
    id,
    session_id: session,
    server_id: server,
    method,
    tool_name: tool,
    resource_uri: resource,
    prompt_name: prompt,
    rule,
    description,
    input_length: question.argsLength,
    asked_at: new Date(askedAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  };
  // As it is, so that numbers stay as they were sent.
  const input = summary === '' ? '' : `,"input":${summary}`;
  return `${JSON.stringify(fields).slice(0, -1)}${input}}`.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()].map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}

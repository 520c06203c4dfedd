import { EXIT } from '../../errors.ts';
import type { Question } from '../../gate/question-port.ts';
import { describePerson, patiently } from './answer-question.ts';
import { hasColour } from '../terminal/colour.ts';
import { defineCommand } from '../command.ts';
import { note } from '../terminal/notes.ts';
import { escapeUnprintable } from '../terminal/printable.ts';
import { findUntrusted, formatUntrusted, untrustedJson } from './untrusted.ts';
import { openQuestions } from './open-questions.ts';
import { tableOptions } from '../log/print-events.ts';
import { STORE_FLAGS } from '../machine/open-store.ts';
import { requirePerson } from '../terminal/person.ts';

/** `clawai approvals`: what waits for a person, and the keys to answer. */
export const approvalsCommand = defineCommand({
  meta: {
    name: 'approvals',
    description:
      'Show what waits for a person: calls, to be answered here, and what servers declare that is not trusted as it is.',
    notes: [
      'A call waits here where a rule of the policy says "prompt". y allows it once, s allows calls just like it for the rest of the ' +
        'session, a has the policy allow such calls always and shows the change first, n denies it. Nobody answers in time: it is denied.',
      'A tool, or how a server is started, waits where it is new, has changed, or where something was found in it: clawai approve SERVER:NAME shows and trusts it.',
      'Without a terminal what waits is listed, and nothing can be answered.',
    ],
    exitCodes: { 2: 'there is no terminal, so nothing could be answered; with --json that is 0' },
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
        process.stdout.write(formatUntrusted(await findUntrusted(flags.config)));
        return EXIT.ok;
      }
      const questions = isThere() ? await patiently(() => store.waiting(Date.now())) : [];
      const untrusted = await findUntrusted(flags.config);
      if (flags.json) {
        const lines = [...questions.map(toJson), ...untrusted.map((entry) => escapeUnprintable(untrustedJson(entry)))];
        process.stdout.write(lines.map((line) => `${line}\n`).join(''));
        return EXIT.ok;
      }
      const { formatWaiting } = await import('./format-waiting.ts');
      const waiting =
        questions.length === 0 && untrusted.length > 0 ? '' : formatWaiting(questions, Date.now(), tableOptions(false));
      process.stdout.write(`${waiting}${formatUntrusted(untrusted)}`);
      note('to answer, run clawai approvals in a terminal');
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

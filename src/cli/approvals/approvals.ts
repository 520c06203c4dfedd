import { EXIT } from '../../errors.ts';
import type { Question } from '../../gate/ports/approval-port.ts';
import { defineCommand } from '../command.ts';
import { STORE_FLAGS } from '../machine/open-store.ts';
import { commandFor, type Entry, entryLabel, listEntries, serverLabel, openRegistry } from '../mcp/registry/entries.ts';
import { entryJson } from '../mcp/registry/describe-entry.ts';
import { needsYes } from '../mcp/registry/mcp-approve.ts';
import { hasColour, type Look, stdoutLook } from '../terminal/colour.ts';
import { note } from '../terminal/notes.ts';
import { requirePerson } from '../terminal/person.ts';
import { escapeUnprintable, visible } from '../terminal/text.ts';
import { Table } from '../terminal/table.ts';
import { createAlways } from './always.ts';
import { describePerson, patiently } from './answer-question.ts';
import { openQuestions } from './approve.ts';
import { subjectText, timeLeft } from './question-text.ts';
import { ApprovalsView, Terminal } from './run-view.ts';

/** `clawai approvals`: what waits for a person, and the keys to answer. */
export const approvalsCommand = defineCommand({
  meta: {
    name: 'approvals',
    description: 'Show what waits for a person: calls, which you can answer here, and definitions that are not trusted.',
    notes: [
      'A call waits if a rule of the policy says "prompt". y allows it once. s allows calls just like it for the rest of the session. a changes the policy so that it always allows such calls, and shows you the change first. n denies it. A call that nobody answers in time is denied.',
      'A tool, or the way a server is started, waits if it is new, has changed or contains a finding. clawai approve SERVER:NAME shows it, and trusts it if you say yes.',
      'Without a terminal, it only prints what waits.',
    ],
    exitCodes: { 2: 'there is no terminal, so nothing could be answered; 0 with --json' },
    examples: ['clawai approvals', 'clawai approvals --json'],
  },
  args: {
    json: { type: 'boolean', description: 'Print what waits, one JSON object a line, and answer nothing.' },
    ...STORE_FLAGS,
  },
  async run({ flags }) {
    const { store, isThere } = await openQuestions(flags.config);
    try {
      if (!flags.json && process.stdin.isTTY && process.stdout.isTTY) {
        requirePerson('approvals');
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
      const waiting =
        questions.length === 0 && untrusted.length > 0 ? '' : formatWaiting(questions, Date.now(), stdoutLook(false));
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
  // The input stays as it was sent, so that numbers keep their form.
  const input = summary === '' ? '' : `,"input":${summary}`;
  return `${JSON.stringify(fields).slice(0, -1)}${input}}`.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()].map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}

export interface ShowOptions {
  readonly config: string | undefined;
  readonly colour: boolean;
  /** The person who answers, for the record. */
  readonly by: string;
}

/** Shows the live view on our own terminal until the person quits. */
async function showApprovals({ config, colour, by }: ShowOptions): Promise<void> {
  const { store, stateDir, isThere } = await openQuestions(config);
  const terminal = new Terminal(process.stdin, process.stdout, {
    onKey: (key) => view.key(key),
    onResize: () => {
      terminal.forget();
      view.redraw();
    },
    onEnd: () => view.end(),
  });
  const view = new ApprovalsView({
    store,
    waiting: () => (isThere() ? store.waiting(Date.now()) : []),
    terminal: {
      show: (lines) => terminal.show(lines),
      // A terminal that doesn't know its size says 0.
      size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    },
    colour,
    by,
    prepareAlways: createAlways(stateDir),
    now: Date.now,
    elapsed: () => performance.now(),
  });
  terminal.enter();
  try {
    await view.run();
  } finally {
    terminal.leave();
    store.close();
  }
}

/** A table of what waits; one sentence where nothing does. */
function formatWaiting(questions: readonly Question[], now: number, look: Look): string {
  if (questions.length === 0) return 'nothing waits for you\n';
  const table = new Table<Question>(
    [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'LEFT', cell: (question) => timeLeft(question, now) },
      { title: 'SERVER', least: 8, cell: ({ server }) => server },
      { title: 'CALL', least: 12, cell: subjectText },
      { title: 'WHY', least: 8, cell: ({ rule, description }) => rule ?? visible(description ?? '-') },
    ],
    look,
  );
  return table.format(questions);
}

/**
 * Finds what servers declare and nobody has trusted as it is: new, changed, or with a finding of `high` or `critical`. Small findings,
 * which honest tools have too, do not wait for a person. Throws ClawaiError `config_*` and `store_*`.
 */
export async function findUntrusted(config: string | undefined): Promise<readonly Entry[]> {
  const { reader } = await openRegistry(config);
  if (reader === undefined) return [];
  try {
    // A definition that its server no longer lists reaches nobody.
    const entries = listEntries(reader, {}).filter((entry) => entry.isListed && needsYes(entry) && isPressing(entry));
    // Definitions of an untrusted launch are not worth a line each.
    const refused = new Set(entries.filter(({ kind, status }) => kind === 'server' && status === 'new').map(serverLabel));
    return entries.filter((entry) => entry.kind === 'server' || !refused.has(serverLabel(entry)));
  } finally {
    reader.close();
  }
}

/** One line for each: what it is, why it waits, and the command that shows and trusts it. Empty where there is nothing. */
export function formatUntrusted(entries: readonly Entry[]): string {
  if (entries.length === 0) return '';
  const lines = entries.map((entry) => `  ${entryLabel(entry)}: ${describeWhy(entry)}\n    ${commandFor(entry)}\n`);
  return `what servers declare, and is not trusted as it is:\n${lines.join('')}`;
}

/** One line of JSON: as `clawai mcp registry list --json` has it, with what it waits for. */
export function untrustedJson(entry: Entry): string {
  return `{"waits_for":"trust",${entryJson(entry).slice(1)}`;
}

function isPressing({ status, detections }: Entry): boolean {
  return status !== 'pinned' || detections?.severity === 'high' || detections?.severity === 'critical';
}

function describeWhy({ status, detections }: Entry): string {
  if (status === 'changed') return 'changed since it was trusted';
  return status === 'new' ? 'new' : `something was found in it (${detections?.severity ?? 'none'})`;
}

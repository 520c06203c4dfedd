import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../errors.ts';
import { defineCommand } from '../command.ts';
import { note } from '../terminal/notes.ts';
import { wrapWords } from '../terminal/text.ts';
import { playDemo, type DemoEvent, type AuditEvent, type DemoAudit, type DemoCall, type DemoStart } from './play.ts';
import { type Look, paint, type Style } from '../terminal/colour.ts';

const MOST_COLUMNS = 80;

/** `clawai demo`: a real server behind `clawai proxy`, driven by a real client, all of it in a temporary folder. */
export const demoCommand = defineCommand({
  meta: {
    name: 'demo',
    description: 'Show an allowed call and denied calls, against a real MCP server.',
    notes: ['Everything happens in a temporary folder, which is removed at the end.'],
  },
  args: {
    json: { type: 'boolean', description: 'Print what happened as JSON.' },
  },
  async run({ flags }) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'clawai-demo-')));
    const look: DemoLook = { folder, ...lookOf(process.stdout) };
    const events: DemoEvent[] = [];
    try {
      for await (const event of playDemo(folder)) {
        events.push(event);
        if (!flags.json) process.stdout.write(renderEvent(event, look));
        if (event.kind === 'start' && event.isFetched) note('fetching the server with npx…');
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    if (flags.json) process.stdout.write(`${JSON.stringify(resultsOf(events), undefined, 2)}\n`);
    return events.every((event) => event.kind !== 'call' || event.ok) ? EXIT.ok : EXIT.mismatch;
  },
});

function lookOf({ isTTY, columns }: NodeJS.WriteStream): Look {
  if (!isTTY) return { width: Infinity, colour: false };
  const colour = (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';
  // Some terminals say that they have no columns at all.
  return { width: Math.min(MOST_COLUMNS, columns || MOST_COLUMNS), colour };
}

/** The calls and the whole audit, for programs. */
function resultsOf(events: readonly DemoEvent[]): object {
  const calls = events.flatMap((event) => {
    if (event.kind !== 'call') return [];
    const { tool, expected, actual, text, ok } = event;
    return [{ tool, expected, actual, text, ok }];
  });
  return { calls, audit: events.flatMap((event) => (event.kind === 'audit' ? event.events : [])) };
}

export interface DemoLook extends Look {
  /** The demo's folder, shown as … in arguments. */
  readonly folder: string;
}

/** Words of the audit for a call's end, as the other lines have them. */
const OUTCOMES: Readonly<Record<string, string>> = { allow: 'allowed', block: 'denied' };

/** Formats one event of the demo for a person: lines, each ended, with an empty one before each new subject. */
export function renderEvent(event: DemoEvent, look: DemoLook): string {
  return `${linesOf(event, look).join('\n')}\n`;
}

function linesOf(event: DemoEvent, look: DemoLook): string[] {
  switch (event.kind) {
    case 'start':
      return renderStart(event, look);
    case 'call':
      return renderCall(event, look);
    case 'audit':
      return renderAudit(event, look);
  }
}

function renderStart({ server, policy }: DemoStart, look: DemoLook): string[] {
  return [
    ...row({ label: 'server', style: 'dim', text: `${server}, which may read all of ${look.folder}` }, look),
    ...row({ label: 'policy', style: 'dim', text: policy }, look),
    ...row({ label: 'client', style: 'dim', text: `the official MCP SDK, which starts: clawai proxy -- ${server} …` }, look),
  ];
}

function renderCall({ title, tool, args, actual, text }: DemoCall, look: DemoLook): string[] {
  const shown = JSON.stringify(args).replaceAll(look.folder, '…').replaceAll('","', '", "');
  const outcome = `${actual === 'allowed' ? 'the server answered' : 'the model reads'}: ${text.trim()}`;
  return [
    '',
    paint('bold', title, look),
    ...row({ label: '  call', style: 'dim', text: `${tool} ${shown}` }, look),
    ...row({ label: `  ${actual}`, style: actual === 'allowed' ? 'green' : 'red', text: outcome }, look),
  ];
}

function renderAudit({ events }: DemoAudit, look: DemoLook): string[] {
  return [
    '',
    `${paint('bold', 'What the audit recorded', look)} (all of it: --json)`,
    ...events.filter(({ tool_name }) => tool_name !== undefined).map(auditRow),
    '',
    'Nothing of yours was read or changed; the folder is removed.',
  ];
}

/** The time of day in UTC, what became of the call, of which tool, and why. */
function auditRow({ timestamp, action = '', server_id, tool_name = '', rule, reason = '' }: AuditEvent): string {
  const why = rule === undefined ? `no rule, ${reason}` : `rule ${rule}`;
  return `  ${timestamp.slice(11)}  ${(OUTCOMES[action] ?? action).padEnd(7)}  ${`${server_id}:${tool_name}`.padEnd(25)}  ${why}`;
}

const LABEL_WIDTH = 11;

/** A label and a text that is wrapped beside it. */
function row({ label, style, text }: { label: string; style: Style; text: string }, look: DemoLook): string[] {
  return wrapWords(text, look.width - LABEL_WIDTH).map((line, i) =>
    i === 0 ? paint(style, label, look) + ' '.repeat(LABEL_WIDTH - label.length) + line : ' '.repeat(LABEL_WIDTH) + line,
  );
}

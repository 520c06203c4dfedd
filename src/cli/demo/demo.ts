import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../errors.ts';
import { defineCommand } from '../command.ts';
import { note } from '../terminal/notes.ts';
import { playDemo, type DemoEvent } from './play.ts';
import { renderEvent, type Look } from './render.ts';

const MOST_COLUMNS = 80;

/** `clawai demo`: a real server behind `clawai proxy`, driven by a real client, all of it in a temporary folder. */
export const demoCommand = defineCommand({
  meta: {
    name: 'demo',
    description: 'Show a call that is allowed and calls that are denied, against a real MCP server.',
    notes: ['Everything happens in a temporary folder, which is removed at the end.'],
  },
  args: {
    json: { type: 'boolean', description: 'Print what happened as JSON.' },
  },
  async run({ flags }) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'clawai-demo-')));
    const look: Look = { folder, ...lookOf(process.stdout) };
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

function lookOf({ isTTY, columns }: NodeJS.WriteStream): Omit<Look, 'folder'> {
  if (!isTTY) return { width: Infinity, colour: false };
  const colour = (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';
  // Some terminals say that they have no columns at all.
  return { width: Math.min(MOST_COLUMNS, columns || MOST_COLUMNS), colour };
}

/** For programs: the calls and all of the audit. */
function resultsOf(events: readonly DemoEvent[]): object {
  const calls = events.flatMap((event) => {
    if (event.kind !== 'call') return [];
    const { tool, expected, actual, text, ok } = event;
    return [{ tool, expected, actual, text, ok }];
  });
  return { calls, audit: events.flatMap((event) => (event.kind === 'audit' ? event.events : [])) };
}

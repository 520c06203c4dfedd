import { ClawaiError, EXIT } from '../../errors.ts';
import { defineCommand } from '../command.ts';
import { findCall } from './event-id.ts';
import { renderCall } from './render-call.ts';
import { readWholeCall } from './whole-call.ts';
import { openRecorded, STORE_FLAGS } from '../machine/open-store.ts';
import { createOutput } from '../terminal/streams.ts';
import { escapeUnprintable } from '../terminal/printable.ts';

/** `clawai log show`: one call whole, with what belongs to it. */
export const logShowCommand = defineCommand({
  meta: {
    name: 'log show',
    description:
      'Tell all that is on record of one call: who made it, with what, what decided, what the model was told, and what belongs to it.',
    notes: [
      'ID is as `clawai log --calls`, `clawai log` and a denial name it, or the beginning of it. Arguments are as they were recorded, with secrets replaced.',
      '--json prints {"id", "event", "rule", "policy", "pin", "related"}: events as they are stored.',
      'Exit code: 0, or 2 where no call has this id, or several have.',
    ],
    examples: ['clawai log --calls --action block', 'clawai log show 6f0c2d.17'],
  },
  args: { json: { type: 'boolean', description: 'Print one JSON object.' }, ...STORE_FLAGS },
  words: { isRequired: true, hint: 'ID', description: 'The call.' },
  async run({ flags, words }) {
    const [typed, ...others] = words;
    if (typed === undefined || others.length > 0) {
      throw new ClawaiError('clawai log show takes the id of one call', {
        code: 'usage',
        hint: '`clawai log --calls` shows them',
      });
    }
    const reader = await openRecorded(flags.config);
    if (reader === undefined) return EXIT.usage;
    try {
      const whole = await readWholeCall(reader, findCall(reader, typed), flags.config);
      const json = JSON.stringify(whole, null, 2);
      const shown = process.stdout.isTTY ? json.split('\n').map(escapeUnprintable).join('\n') : json;
      await createOutput(process.stdout).write(flags.json ? `${shown}\n` : renderCall(whole));
    } finally {
      reader.close();
    }
    return EXIT.ok;
  },
});

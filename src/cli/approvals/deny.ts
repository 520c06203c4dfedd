import { EXIT } from '../../errors.ts';
import { answerById } from './answer-by-id.ts';
import { defineCommand } from '../command.ts';
import { STORE_FLAGS } from '../machine/open-store.ts';

/** `clawai deny ID`: says no to a call that waits. */
export const denyCommand = defineCommand({
  meta: {
    name: 'deny',
    description: 'Deny a call that waits for a person.',
    notes: ['A call that nobody answers is denied too, when its time is over.'],
    examples: ['clawai deny K7Q2MX'],
  },
  args: STORE_FLAGS,
  words: { isRequired: true, hint: 'ID', description: 'The request, as the notification or the model names it.' },
  async run({ flags, words }) {
    const isTaken = await answerById({ command: 'deny', words, config: flags.config, state: 'refused', remember: 'once' });
    return isTaken ? EXIT.ok : EXIT.mismatch;
  },
});

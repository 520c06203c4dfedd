import { ClawaiError, EXIT } from '../../errors.ts';
import { answerById } from './answer-by-id.ts';
import { defineCommand } from '../command.ts';
import { STORE_FLAGS } from '../open-store.ts';

/** `clawai approve ID`: says yes to a call that waits. */
export const approveCommand = defineCommand({
  meta: {
    name: 'approve',
    description: 'Allow a call that waits for a person.',
    notes: ['Without a flag the call is allowed once. clawai approvals shows what waits, with all arguments.'],
    examples: ['clawai approve K7Q2MX', 'clawai approve K7Q2MX --session'],
  },
  args: {
    session: { type: 'boolean', description: 'Allow calls just like it for the rest of the session.' },
    always: { type: 'boolean', description: 'Change the policy so that it allows such calls; it is shown and asked for first.' },
    ...STORE_FLAGS,
  },
  words: { hint: 'ID', description: 'The request, as the notification or the model names it.' },
  async run({ flags, words }) {
    if (flags.session && flags.always) {
      throw new ClawaiError('--session and --always contradict each other', { code: 'usage', hint: 'give one of them' });
    }
    const remember = flags.always ? 'always' : flags.session ? 'session' : 'once';
    const isTaken = await answerById({ command: 'approve', words, config: flags.config, state: 'granted', remember });
    return isTaken ? EXIT.ok : EXIT.mismatch;
  },
});

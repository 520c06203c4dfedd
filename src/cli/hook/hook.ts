import { writeSync } from 'node:fs';
import { ClawaiError, formatPlace } from '../../errors.ts';
import { defineCommand, usageError } from '../command.ts';
import { denialBy, type HookAnswer, type HookClient } from '../../protocol/hooks/hook-client.ts';
import { HOOK_CLIENTS } from '../../protocol/hooks/hook-clients.ts';
import { judgeHook } from './judge-hook.ts';

const SECOND = 1000;

/** The part of a client's patience that is left for its own start of us, and for our end: at least, and at most so many milliseconds. */
const RESERVE = { part: 1 / 6, least: 2 * SECOND, most: 10 * SECOND };

/** `clawai hook`: decides one call of an agent's tool, for the client that asks before it runs the call. */
export const hookCommand = defineCommand({
  meta: {
    name: 'hook',
    description: 'Decide a call that a client is about to run. Clients start it as their hook, with the call on stdin.',
    stdoutIs: 'protocol',
    notes: [
      'It prints nothing and ends with 0 if nothing is against the call: then the permissions of the client decide. It denies in the words of the client, and whatever fails is a denial too.',
      'A call that a person has to approve waits for the answer.',
    ],
    exitCodes: { 0: 'no opinion, or denied in words on stdout', 2: 'denied, with the reason on stderr' },
    examples: ['clawai hook claude-code'],
  },
  args: {
    timeout: {
      type: 'string',
      hint: 'SECONDS',
      description: 'How long the client waits for its hook, if its config says so. The call is denied a little sooner.',
    },
    policy: { type: 'string', hint: 'FILE', description: 'The policy that decides.' },
    config: { type: 'string', hint: 'FILE', description: 'The config: the store, and what is recorded.' },
  },
  words: {
    isRequired: true,
    hint: 'CLIENT',
    description: 'The client that asks.',
    options: HOOK_CLIENTS.map(({ id }) => id),
  },
  async run({ flags, words }) {
    const [name = '', another] = words;
    const client = HOOK_CLIENTS.find(({ id }) => id === name);
    if (client === undefined || another !== undefined)
      throw usageError('a hook needs one client', `name one of ${HOOK_CLIENTS.map(({ id }) => id).join(', ')}`);
    const deadline = deadlineOf(client, flags.timeout);
    const answer = await answerInTime(client, deadline, () =>
      judgeHook({ client, deadline, policy: flags.policy, config: flags.config }),
    );
    return say(answer);
  },
});

/** Milliseconds on the clock of `performance.now`, which begins when this process does. */
function deadlineOf({ patience }: HookClient, typed: string | undefined): number {
  if (typed !== undefined && !/^[1-9]\d{0,5}$/.test(typed))
    throw usageError(`--timeout: ${JSON.stringify(typed)} is no number of seconds`, 'write for example --timeout 120');
  const given = typed === undefined ? patience : Number(typed) * SECOND;
  const { part, least, most } = RESERVE;
  return Math.max(given / 2, given - Math.min(Math.max(given * part, least), most));
}

/** Runs the work. Whatever goes wrong, and also if it takes too long, the answer is a denial. */
async function answerInTime(client: HookClient, deadline: number, work: () => Promise<HookAnswer>): Promise<HookAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HookAnswer>((resolve) => {
    const why = 'clawai denied this call, because it could not decide it in time. Tell the user, or repeat the call.';
    timer = setTimeout(() => resolve(denialBy(client, why)), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    return denialBy(
      client,
      `clawai denied this call, because it could not decide it: ${whatIsWrong(error)}. Tell the user to run clawai doctor.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** The first thing that is wrong, in one line. */
function whatIsWrong(error: unknown): string {
  if (!(error instanceof ClawaiError)) return error instanceof Error ? error.message : String(error);
  const [fault] = error.faults;
  return fault === undefined ? error.message : `${formatPlace(fault.place)}: ${fault.message}`;
}

/** Writes an answer at once, since what is left in a stream's queue at the end would be lost. */
export function say({ stdout, stderr, code }: HookAnswer): number {
  if (stdout !== '') writeSync(1, stdout);
  if (stderr !== '') writeSync(2, stderr);
  return code;
}

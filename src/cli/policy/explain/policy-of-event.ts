import { ClawaiError } from '../../../errors.ts';
import { readStandings } from '../../wrap/wrap-standing.ts';
import { lookAround } from '../../wrap/wrap-surroundings.ts';
import { type Here, type HereOptions, openHere } from './explain-here.ts';

/** What decides on this machine by a policy that is at hand. */
export interface PolicyOfEvent extends Here {
  /** It is the very policy that decided, the project's included. */
  readonly isSame: boolean;
}

/**
 * The policy that decided a recorded call: the named one, the one that decides here, or one that a wrapped server is started with, each with and without the
 * project's. Where none of them has that hash any more, the first.
 *
 * @param hash of the policy, as it is on record
 * @returns undefined where none can be read
 */
export async function findPolicyOf(hash: string | undefined, options: HereOptions): Promise<PolicyOfEvent | undefined> {
  let first: Here | undefined;
  const named = options.policy === undefined ? await policiesOfEntries() : [];
  for (const policy of [options.policy, ...named]) {
    for (const withoutProject of [false, true]) {
      const here = await tryHere({ ...options, policy, withoutProject });
      if (here?.hash === hash && here !== undefined) return { ...here, isSame: true };
      first ??= here;
    }
  }
  return first && { ...first, isSame: false };
}

async function tryHere(options: HereOptions): Promise<Here | undefined> {
  try {
    return await openHere(options);
  } catch (error) {
    // A policy with a fault has decided nothing, and `clawai policy lint` says what is wrong with it.
    if (error instanceof ClawaiError && error.code.startsWith('policy_')) return undefined;
    throw error;
  }
}

async function policiesOfEntries(): Promise<readonly string[]> {
  const { files } = await readStandings(lookAround());
  return [...new Set(files.flatMap(({ servers }) => servers.flatMap(({ policy }) => policy ?? [])))];
}

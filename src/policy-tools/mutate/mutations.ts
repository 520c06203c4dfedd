import type { Policy } from '../../core/policy/tables.ts';
import { changeDetection } from './change-detection.ts';
import { changeFlow, changeRates } from './change-guards.ts';
import { changeConditions, dropRule, flipAction, swapRules } from './change-rules.ts';
import { changeDlp } from './change-dlp.ts';
import { changeClassify, changeDefaults, changePinning, changeSchema, changeServers } from './change-settings.ts';
import type { Mutant, Mutation } from './mutant.ts';

/**
 * Every way of changing a policy. A new one is one file in this folder and one line here.
 *
 * Left out is what no fixture could tell, since it changes no decision and no result: how people are asked (`[approval]`), texts, what
 * is done with a server's own requests (`on_sampling`), and what is only about lists (`hide` beside `deny` in `[pinning]`).
 */
export const MUTATIONS: readonly Mutation[] = [
  dropRule,
  swapRules,
  flipAction,
  changeConditions,
  changeDefaults,
  changeServers,
  changeClassify,
  changeSchema,
  changeDlp,
  changePinning,
  changeFlow,
  changeRates,
  changeDetection,
];

/** Every mutant of a policy, in the order of its kinds and then of the file. */
export function createMutants(policy: Policy): readonly Mutant[] {
  const seen = new Map<string, number>();
  return MUTATIONS.flatMap(({ kind, changes }) =>
    changes(policy).map((change) => {
      const place = `${kind}:${change.path.join('.')}`;
      const number = (seen.get(place) ?? 0) + 1;
      seen.set(place, number);
      return { id: `${place}:${number}`, kind, ...change };
    }),
  );
}

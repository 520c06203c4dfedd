import { ClawaiError } from '../../errors.ts';
import type { Question } from '../../gate/ports.ts';

/** A change of the policy that allows a call like this one from now on. */
export interface AlwaysChange {
  /** What it would change, as a unified diff. */
  readonly diff: string;
  /** Makes the change. @throws ClawaiError where the policy has changed meanwhile, or can't be written */
  apply(): Promise<void>;
}

/** Works out the change, without making it. */
export type PrepareAlways = (question: Question) => Promise<AlwaysChange>;

/** @throws ClawaiError where no rule can be written for this call */
export const prepareAlways: PrepareAlways = () =>
  Promise.reject(
    new ClawaiError('remembering an answer in the policy is not available in this version of clawai', {
      code: 'usage',
      hint: 'allow it once, or for this session, or write the rule yourself',
    }),
  );

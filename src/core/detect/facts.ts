import type { Finding } from '../decision.ts';

/** What is known of what detection found in what a call is about. */
export interface DetectionFacts {
  /** In its definition, at or above the policy's threshold, and without what the policy suppresses. */
  readonly findings: readonly Finding[];
  /** The same in what its server says of itself, where nobody has approved that. */
  readonly ofServer: readonly Finding[];
  /** A person has approved the definition as it is. */
  readonly isApproved: boolean;
  /** It could not be looked at, and what can't be decided is denied. */
  readonly hasFailed?: boolean;
}

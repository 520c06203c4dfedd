import { findSources } from '../find-sources.ts';
import type { FlowRule } from '../suspect.ts';
import { agoOf, describeEvidence, nameOf, nameOfPast } from '../words.ts';

/** A call that writes or sends, in the turn in which, or soon after, another server's call read. */
export const crossServerFlow: FlowRule = (suspect) => {
  const { enabled, action, window, sameTurnOnly, evidence: asked } = suspect.flow.crossServerFlow;
  if (!enabled) return undefined;
  const categories = suspect.categories();
  const isSending = categories.includes('send');
  if (!isSending && !categories.includes('write')) return undefined;
  const found = findSources(suspect, { window, evidence: asked, isSameTurn: sameTurnOnly });
  if (found === undefined) return undefined;
  const { named, related, evidence } = found;
  const passes = `it would ${isSending ? 'send' : 'write'} with ${nameOf(suspect.call)}`;
  const from = nameOfPast(named);
  const ago = agoOf(named, suspect.session.now);
  const reason =
    evidence === undefined
      ? `${passes} after ${from} read data ${ago}${sameTurnOnly ? ', in the same turn' : ''}`
      : `${passes} a value that ${from} gave ${ago}: ${describeEvidence(evidence)}`;
  return { rule: 'cross_server_flow', severity: 'high', action, reason, related, evidence };
};

import { findSources } from '../find-sources.ts';
import type { FlowRule } from '../suspect.ts';
import { agoOf, describeEvidence, nameOf, nameOfPast } from '../words.ts';

/** A call that sends, after another server's call that read: what was read may leave. */
export const readThenSend: FlowRule = (suspect) => {
  const { enabled, action, window, evidence: asked } = suspect.flow.readThenSend;
  if (!enabled || !suspect.categories().includes('send')) return undefined;
  const found = findSources(suspect, { window, evidence: asked, isSameTurn: false });
  if (found === undefined) return undefined;
  const { named, related, evidence } = found;
  const sends = `it would send with ${nameOf(suspect.call)}`;
  const from = nameOfPast(named);
  const ago = agoOf(named, suspect.session.now);
  const reason =
    evidence === undefined
      ? `${sends} after ${from} read data ${ago}`
      : `${sends} a value that ${from} gave ${ago}: ${describeEvidence(evidence)}`;
  return { rule: 'read_then_send', severity: 'critical', action, reason, related, evidence };
};

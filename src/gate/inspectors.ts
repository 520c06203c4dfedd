const POLICY: readonly string[] = ['policy'];
const FLOW: readonly string[] = ['policy', 'flow'];
const DETECTION: readonly string[] = ['policy', 'detection'];
const BOTH: readonly string[] = ['policy', 'flow', 'detection'];

/**
 * What looked at a call, as its record says it; always the same lists, since nearly all calls have the same.
 *
 * @param hasFlow its session was looked at
 * @param hasDetection the definition of what it calls was
 */
export function inspectorsOf(hasFlow: boolean, hasDetection: boolean): readonly string[] {
  if (hasDetection) return hasFlow ? BOTH : DETECTION;
  return hasFlow ? FLOW : POLICY;
}

import type { Call } from '../../core/call.ts';
import type { Detection } from '../../core/detect/types.ts';
import type { Definition, PinRecord } from '../../core/registry/definition.ts';
import type { DetectionAction, DetectionRecord } from '../ports/records.ts';
import { tellRefused } from '../definitions/definition-news.ts';
import type { GateSetup } from '../ports/ports.ts';
import { actedOn, isApproved, recordedDetection, type Reported, reportOf } from './findings.ts';

/** Definitions of one list that are told to the person one by one. */
const MOST_SHOWN = 3;

/** Rules that one line names. */
const MOST_RULES = 3;

/** Actions that keep a definition or its calls from the model; each time is recorded. */
const ACTED_ON: ReadonlySet<DetectionAction> = new Set<DetectionAction>(['hide', 'deny', 'prompt']);

/** New findings in a definition. */
export interface FoundInDefinition {
  readonly definition: Definition;
  readonly detections: readonly Detection[];
  /** The definition's pin. */
  readonly pin?: PinRecord | undefined;
}

/** Records findings in definitions that the policy cares about, and warns the person of them. Call it in an open transaction. */
export function tellFound(setup: GateSetup, news: readonly FoundInDefinition[]): void {
  const { server, policy, ports } = setup;
  const compiled = policy.current();
  let count = 0;
  for (const { definition, detections, pin } of news) {
    const { kind, name, fingerprint } = definition;
    const isNews = (detection: Detection): boolean => detection.repeats !== true || ACTED_ON.has(actionOn(setup, detection));
    const reported = reportOf(compiled, detections.filter(isNews), { server, tool: kind === 'tool' ? name : undefined });
    for (const { detection, suppressed } of reported) {
      const action = suppressed === undefined ? actionOn(setup, detection) : 'allow';
      const about = { origin: 'definition', subject: { kind, name }, fingerprint } as const;
      const shown = recordedDetection(compiled, detection);
      ports.sink.record({ type: 'detection', ...stampOf(setup), ...about, detection: shown, action, suppressed });
    }
    const acted = actedOn(reported);
    if (acted.length === 0) continue;
    count++;
    if (!isApproved(pin)) tellRefused(setup, { kind, name, why: 'found', trusted: pin?.pinned });
    if (count <= MOST_SHOWN) ports.warn(describeFound(setup, definition, acted));
  }
  if (count > MOST_SHOWN) {
    ports.warn(`${count - MOST_SHOWN} more definitions of ${JSON.stringify(server)} have findings: see clawai mcp registry list`);
  }
}

/** A record's time, session and server. */
export function stampOf({ server, ports }: GateSetup): Pick<DetectionRecord, 'time' | 'session' | 'server'> {
  return { time: ports.clock.now(), session: ports.session(), server };
}

/** The subject of a call, as a record names it. */
export function subjectOf(call: Call | undefined): DetectionRecord['subject'] {
  if (call?.tool !== undefined) return { kind: 'tool', name: call.tool };
  if (call?.resource !== undefined) return { kind: 'resource', name: call.resource };
  return call?.prompt === undefined ? undefined : { kind: 'prompt', name: call.prompt };
}

/** Findings by their rules, for one line. */
export function describeRules(found: readonly Pick<Detection, 'rule' | 'severity'>[]): string {
  const rules = [...new Set(found.map(({ rule, severity }) => `${severity} ${rule}`))];
  const rest = rules.length > MOST_RULES ? `, and ${rules.length - MOST_RULES} more` : '';
  return `${rules.slice(0, MOST_RULES).join(', ')}${rest}`;
}

/** The action on a finding; none on suppressed ones, which the user knows. */
export function toAction(reported: Reported, action: DetectionAction): DetectionAction {
  return reported.suppressed === undefined ? action : 'allow';
}

function actionOn({ policy, isObserving }: GateSetup, { severity }: Detection): DetectionAction {
  const { onDefinition, requireApproval } = policy.current().policy.detection;
  if (isObserving) return 'alert';
  return onDefinition === 'alert' && requireApproval && severity === 'critical' ? 'prompt' : onDefinition;
}

function describeFound({ server }: GateSetup, { kind, name }: Definition, found: readonly Detection[]): string {
  const what = kind === 'instructions' ? 'the instructions' : `the ${kind.replace('_', ' ')} ${JSON.stringify(name)}`;
  return `${what} of ${JSON.stringify(server)} may mislead a model (${describeRules(found)}): see clawai mcp registry list`;
}

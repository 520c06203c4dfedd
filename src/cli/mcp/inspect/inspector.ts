import type { CreateDetector, DefinitionInput, Detection, Detector, Inspection } from '../../../core/detect/types.ts';
import { SEVERITIES, type Severity } from '../../../core/finding.ts';
import type { CompiledPolicy } from '../../../core/match/compile.ts';
import { groupsOf, inWhole, withoutRepeats } from '../../../gate/detection/find-in-texts.ts';
import { visible } from '../../terminal/text.ts';
import { describeDetection } from '../registry/describe-entry.ts';
import { isTexts, type ItemGroup, type ItemInput, type Skipped, type TextsInput } from './items.ts';
import { type Look, paint } from '../../terminal/colour.ts';

/** A finding that the policy's user does not want to hear of, and why. */
interface Suppressed {
  readonly detection: Detection;
  readonly reason: string;
}

/** The result of inspecting one thing. */
export interface Inspected {
  readonly item: ItemInput;
  readonly server: string;
  readonly line: number | undefined;
  /** The most severe first. */
  readonly findings: readonly Detection[];
  readonly suppressed: readonly Suppressed[];
  /** The severity of the worst finding that is not suppressed. */
  readonly severity: Severity | undefined;
  /** True if the policy acts on that severity. */
  readonly isAtThreshold: boolean;
  /** True if a part of it was too long to be inspected to its end. */
  readonly isCut: boolean;
  /** Parts of it that were not inspected. */
  readonly skipped: readonly Skipped[];
}

/** Looks at things as a policy wants them to be looked at. */
export class Inspector {
  readonly #detector: Detector;
  readonly #policy: CompiledPolicy;

  constructor(policy: CompiledPolicy, createDetector: CreateDetector) {
    this.#policy = policy;
    this.#detector = createDetector(policy.policy.detection.rules);
  }

  /**
   * Inspects each thing of a group, in order.
   *
   * @param others names of other servers' tools, by server
   */
  look({ items, server, line }: ItemGroup, others: ReadonlyMap<string, readonly string[]> = new Map()): readonly Inspected[] {
    const definitions = items.filter((item): item is DefinitionInput => !isTexts(item));
    const tools = definitions.filter(({ kind }) => kind === 'tool').map(({ name }) => name);
    const found = this.#detector.definitions(definitions, { server, tools, others });
    const byItem = new Map<ItemInput, Omit<Inspection, 'severity'> | undefined>(definitions.map((item, i) => [item, found[i]]));
    return items.map((item) => {
      const inspection = isTexts(item) ? this.#lookAtTexts(item) : byItem.get(item);
      if (inspection === undefined) throw new Error('a definition was not looked at');
      return this.#toInspected(item, inspection, { server, line });
    });
  }

  /** Inspects texts in parts, as the gate does, so that a long one is read to its end. */
  #lookAtTexts({ kind, fields }: TextsInput): Omit<Inspection, 'severity'> {
    const all: Detection[] = [];
    let isCut = false;
    for (const group of groupsOf(fields)) {
      const inspection = this.#detector.texts(kind, group.fields);
      isCut ||= inspection.isCut;
      all.push(...inWhole(inspection.detections, group));
    }
    const detections = withoutRepeats(all).toSorted((one, other) => rank(other.severity) - rank(one.severity));
    return { detections, isCut };
  }

  #toInspected(
    item: ItemInput,
    { detections, isCut }: Omit<Inspection, 'severity'>,
    at: Pick<Inspected, 'server' | 'line'>,
  ): Inspected {
    const { threshold } = this.#policy.policy.detection;
    const tool = item.kind === 'tool' ? item.name : undefined;
    const reasonFor = ({ rule }: Detection): string | undefined =>
      this.#policy.suppressionOf(rule, { server: at.server, tool })?.reason;
    // Findings that honest servers cause at each of their tools are told once.
    const findings = detections.filter((detection) => detection.repeats !== true && reasonFor(detection) === undefined);
    const suppressed = detections.flatMap((detection) => {
      const reason = reasonFor(detection);
      return reason === undefined ? [] : [{ detection, reason }];
    });
    const severity = findings.map((finding) => finding.severity).toSorted((one, other) => rank(other) - rank(one))[0];
    const isAtThreshold = severity !== undefined && rank(severity) >= rank(threshold);
    const skipped = isTexts(item) ? item.skipped : [];
    return { item, ...at, findings, suppressed, severity, isAtThreshold, isCut, skipped };
  }
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** Formats one result as lines for people; none if there is nothing to say of it. */
export function describeInspected(inspected: Inspected, look: Look): string[] {
  const { findings, suppressed, isCut, skipped } = inspected;
  const below = [
    ...findings.flatMap((finding) => describeDetection(finding, look)),
    ...suppressed.flatMap(({ detection, reason }) => describeDetection(detection, look, reason)),
    ...(isCut ? ['  not all of it was looked at: it is longer than what is'] : []),
    ...skipped.map(({ what, why }) => `  not looked at: ${visible(what)} ${visible(why)}`),
  ];
  if (below.length === 0) return [];
  const head = labelOf(inspected);
  return [paint('bold', head, look), ...below, ''];
}

function labelOf({ item, server, line }: Inspected): string {
  const what = item.kind.replace('_', ' ');
  const name = isTexts(item) || item.name === '' ? '' : ` ${visible(item.name)}`;
  const of = server === '' ? '' : ` of ${visible(server)}`;
  return `${what}${name}${of}${line === undefined ? '' : ` (line ${line})`}`;
}

/** Formats one result as one line of JSON. */
export function inspectedJson({
  item,
  server,
  line,
  severity,
  isAtThreshold,
  findings,
  suppressed,
  isCut,
  skipped,
}: Inspected): string {
  return JSON.stringify({
    ...(line === undefined ? {} : { line }),
    ...(server === '' ? {} : { server }),
    kind: item.kind,
    name: isTexts(item) ? null : item.name,
    severity: severity ?? null,
    at_threshold: isAtThreshold,
    findings,
    suppressed: suppressed.map(({ detection, reason }) => ({ ...detection, reason })),
    is_cut: isCut,
    skipped,
  });
}

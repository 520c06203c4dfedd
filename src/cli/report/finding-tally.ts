import { DETECTION_TYPE } from '../../audit/event-types.ts';
import { SEVERITIES, type Severity } from '../../store/read-query.ts';
import { objectOf, textOf } from '../log/event-fields.ts';
import { byCount, Groups, sumOf } from './groups.ts';
import type { ReportEvent } from './report-event.ts';
import { LISTED, type DetectionGroup, type SessionReport } from './report.ts';

type Found = Pick<
  SessionReport,
  'findings_by_severity' | 'detections_by_severity' | 'top_detections' | 'detections_left_off' | 'detections_suppressed'
>;

/** Counts findings by how bad they are, and groups what detection has found. */
export class FindingTally {
  readonly #findings = bySeverity();
  readonly #detections = bySeverity();
  readonly #groups = new Groups<DetectionGroup & { count: number }>();
  #total = 0;
  #suppressed = 0;

  /** Any event: whatever has a severity is a finding. */
  add(event: ReportEvent): void {
    const { type, server, fields } = event;
    if (type === DETECTION_TYPE && textOf(fields, 'suppressed') !== '') {
      this.#suppressed += 1;
      return;
    }
    const detection = objectOf(fields, 'detection');
    const said = event.severity ?? textOf(detection, 'severity');
    const severity = SEVERITIES.find((known) => known === said);
    if (severity !== undefined) this.#findings[severity] += 1;
    if (type !== DETECTION_TYPE) return;
    this.#total += 1;
    if (severity !== undefined) this.#detections[severity] += 1;
    const tool = event.tool ?? '';
    const pattern =
      [textOf(detection, 'pattern'), textOf(fields, 'pattern'), textOf(fields, 'rule')].find((name) => name !== '') ?? '';
    const group = this.#groups.at([server, tool, pattern, said], () => ({
      server_id: server,
      tool_name: tool,
      pattern,
      severity: said,
      count: 0,
    }));
    if (group !== undefined) group.count += 1;
  }

  report(): Found {
    const worst = ({ severity }: DetectionGroup): number => SEVERITIES.findIndex((known) => known === severity);
    const top = this.#groups.top(LISTED, (one, other) => worst(other) - worst(one) || byCount(one, other));
    return {
      findings_by_severity: { ...this.#findings },
      detections_by_severity: { ...this.#detections },
      top_detections: top,
      detections_suppressed: this.#suppressed,
      detections_left_off: this.#total - sumOf(top),
    };
  }
}

function bySeverity(): Record<Severity, number> {
  return { low: 0, medium: 0, high: 0, critical: 0 };
}

import { CALL_TYPES } from '../../audit/event-types.ts';
import { CallCounts } from './call-counts.ts';
import { Groups } from './groups.ts';
import { PeakRate } from './peak-rate.ts';
import type { ReportEvent } from './report-event.ts';
import type { ServerReport } from './report.ts';

/** Tools of one server that are told. */
const BUSIEST = 5;

interface ToolTally {
  readonly tool_name: string;
  calls: number;
  denied: number;
  isChanged: boolean;
}

/** What is counted of one server. */
export class ServerTally {
  readonly calls = new CallCounts();
  connectionsEnded = 0;
  readonly #server: string;
  readonly #peak = new PeakRate();
  readonly #tools = new Groups<ToolTally>();

  constructor(server: string) {
    this.#server = server;
  }

  add(event: ReportEvent): void {
    const tool = event.tool === null ? undefined : this.#toolAt(event.tool);
    if (event.type === 'mcp_connection_ended') this.connectionsEnded += 1;
    if (event.type === 'mcp_tool_changed' && tool !== undefined) tool.isChanged = true;
    if (!isCall(event)) return;
    this.calls.add(event.action, event.fields);
    this.#peak.add(event.time);
    if (tool === undefined) return;
    tool.calls += 1;
    if (event.action !== 'allow') tool.denied += 1;
  }

  report(): ServerReport {
    const tools = [...this.#tools.values()];
    const called = tools.filter(({ calls }) => calls > 0);
    const busiest = called.toSorted((one, other) => other.calls - one.calls).slice(0, BUSIEST);
    return {
      server_id: this.#server,
      tools_seen: tools.length,
      tools_called: called.length,
      tools_changed: tools.filter(({ isChanged }) => isChanged).length,
      calls: this.calls.numbers(),
      calls_per_minute_max: this.#peak.peak,
      busiest_tools: busiest.map(({ tool_name, calls, denied }) => ({ tool_name, calls, denied })),
      connections_ended: this.connectionsEnded,
    };
  }

  #toolAt(name: string): ToolTally | undefined {
    return this.#tools.at([name], () => ({ tool_name: name, calls: 0, denied: 0, isChanged: false }));
  }
}

/** Is it about something that was decided? */
export function isCall({ type }: ReportEvent): boolean {
  return CALL_TYPES.some((known) => known === type);
}

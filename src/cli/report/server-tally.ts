import { CALL_TYPES, DENIED_RESULT_TYPE, DETECTION_TYPE, MODEL_CALL_TYPE } from '../../audit/event-types.ts';
import { CallCounts, Groups } from './groups.ts';
import type { ReportEvent } from './report-event.ts';
import type { ServerReport } from './report.ts';

/** Tools of one server that are told. */
const BUSIEST = 5;

/** Counts of a tool, beside how often events name it. */
interface ToolTally {
  calls: number;
  denied: number;
  isChanged: boolean;
}

function createTools(): Groups<{ readonly tool_name: string }, ToolTally> {
  return new Groups(() => ({ calls: 0, denied: 0, isChanged: false }));
}

/** Counts the events of one server. */
export class ServerTally {
  readonly calls = new CallCounts();
  readonly modelCalls = new CallCounts();
  /** True if the server was seen in other events than calls of models. */
  isConnected = false;
  connectionsEnded = 0;
  readonly #peak = new PeakRate();
  readonly #tools = createTools();
  /** Tools that models have called. */
  readonly #modelTools = createTools();

  add(event: ReportEvent): void {
    // A denied result is about a call of a model, and says nothing of the server.
    if (event.type === DENIED_RESULT_TYPE) return;
    const { tool } = event;
    if (isModelCall(event)) {
      this.modelCalls.add(event.action, event.fields);
      if (tool !== null) addTo(this.#modelTools.add({ tool_name: tool }), event);
      return;
    }
    // A finding may be in the arguments of a model's call.
    if (event.type !== DETECTION_TYPE) this.isConnected = true;
    const known = tool === null ? undefined : this.#tools.add({ tool_name: tool });
    if (event.type === 'mcp_connection_ended') this.connectionsEnded += 1;
    if (event.type === 'mcp_tool_changed' && known !== undefined) known.isChanged = true;
    if (!isCall(event)) return;
    this.calls.add(event.action, event.fields);
    this.#peak.add(event.time);
    addTo(known, event);
  }

  report(name: string): ServerReport {
    const tools = this.#tools.all();
    const called = tools.filter(({ calls }) => calls > 0);
    const shown = called.length === 0 ? this.#modelTools.all() : called;
    const busiest = shown.toSorted((one, other) => other.calls - one.calls).slice(0, BUSIEST);
    return {
      server_id: name,
      tools_seen: tools.length,
      tools_called: called.length,
      tools_changed: tools.filter(({ isChanged }) => isChanged).length,
      calls: this.calls.numbers(),
      model_calls: this.modelCalls.numbers(),
      calls_per_minute_max: this.#peak.peak,
      busiest_tools: busiest.map(({ tool_name, calls, denied }) => ({ tool_name, calls, denied })),
      connections_ended: this.connectionsEnded,
    };
  }
}

function addTo(tool: ToolTally | undefined, { action }: ReportEvent): void {
  if (tool === undefined) return;
  tool.calls += 1;
  if (action !== 'allow') tool.denied += 1;
}

/** Tells whether the event is a call of a model, seen before the agent could make it at a server. */
export function isModelCall({ type }: ReportEvent): boolean {
  return type === MODEL_CALL_TYPE;
}

/** Tells whether the event is about a decided call. Calls of models are among them. */
export function isCall({ type }: ReportEvent): boolean {
  return CALL_TYPES.some((known) => known === type);
}

const SECOND = 1000;
const SECONDS = 60;

/** The most that happened within a minute, to the second, of times that come roughly in order. */
export class PeakRate {
  /** Events in each second of the last minute, by their place in the ring. */
  readonly #ring = Array.from({ length: SECONDS }, () => 0);
  #last: number | undefined;
  #sum = 0;
  #peak = 0;

  /** @param time milliseconds since the epoch; what comes late counts as of the newest second */
  add(time: number): void {
    const second = Math.floor(time / SECOND);
    this.#last ??= second;
    // A gap longer than the ring empties it.
    const passed = Math.min(Math.max(0, second - this.#last), SECONDS);
    for (let i = 1; i <= passed; i++) this.#clear(this.#last + i);
    this.#last = Math.max(this.#last, second);
    const at = placeOf(this.#last);
    this.#ring[at] = (this.#ring[at] ?? 0) + 1;
    this.#sum += 1;
    this.#peak = Math.max(this.#peak, this.#sum);
  }

  get peak(): number {
    return this.#peak;
  }

  #clear(second: number): void {
    const at = placeOf(second);
    this.#sum -= this.#ring[at] ?? 0;
    this.#ring[at] = 0;
  }
}

function placeOf(second: number): number {
  return ((second % SECONDS) + SECONDS) % SECONDS;
}

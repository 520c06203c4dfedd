import type { IncomingHttpHeaders } from 'node:http';
import type { ModelRequest } from '../../gate/model/call-targets.ts';
import type { ModelGate } from '../../gate/model/model-gate.ts';
import type { PendingVerdict, Rounds } from '../../gate/rounds.ts';
import type { Verdict } from '../../gate/verdict.ts';
import type { CallVerdict, ModelCall, NameVerdict } from '../../protocol/llm/dialect.ts';
import type { OfferedTool, ResultOfCall } from '../../protocol/llm/model-api.ts';
import type { AnswerSecrets } from './answer-secrets.ts';
import type { DecidedCalls } from './decided-calls.ts';
import { formatNote } from '../../protocol/llm/note.ts';
import { clientStyleOf } from '../../protocol/llm/tool-names/client-styles.ts';

/** The parts that judge a call, and the request it belongs to. */
export interface Judging {
  readonly gate: ModelGate;
  readonly rounds: Rounds;
  readonly request: ModelRequest;
  /** Aborts when nobody waits for the answer any more. */
  readonly withdrawn: AbortSignal;
  /** Restores the answer. */
  readonly secrets?: AnswerSecrets | undefined;
  /** The calls of earlier answers, if the provider stores answers. */
  readonly decided?: DecidedCalls | undefined;
  /** True if the answer may have been fetched before. */
  readonly isStored?: boolean;
}

/** Builds a request's description: its sender, and the tools that it offers. */
export function toModelRequest({
  headers,
  tools,
  ...known
}: Pick<ModelRequest, 'dialect' | 'id'> & {
  readonly headers: IncomingHttpHeaders;
  readonly tools: readonly OfferedTool[];
}): ModelRequest {
  const get = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    ...known,
    client: clientStyleOf({ userAgent: headers['user-agent'], get }),
    // A server's tool must not stand for the agent's own one of that name.
    tools: new Map([...tools.filter(isOfGroup), ...tools.filter((tool) => !isOfGroup(tool))].map((tool) => [tool.name, tool])),
  };
}

function isOfGroup({ group }: OfferedTool): boolean {
  return group !== undefined;
}

const ALLOWED: CallVerdict = { isAllowed: true };

/** Returns what a call's name alone decides, before its arguments are complete. */
export function nameVerdict(call: ModelCall, { gate, rounds, request }: Omit<Judging, 'withdrawn'>): NameVerdict {
  return rounds.lookUp(gate, () => gate.nameVerdict(call, request));
}

/** Judges a call: at once, or once it is on record or a person has answered. */
export function judgeCall(
  call: ModelCall,
  { gate, rounds, request, withdrawn, decided, isStored = false }: Judging,
): CallVerdict | Promise<CallVerdict> {
  const known = isStored ? decided?.find(call) : undefined;
  if (known !== undefined) return known;
  const judged: Verdict | PendingVerdict = rounds.judge(gate, () => gate.judge(call, request, withdrawn));
  const noted = (verdict: Verdict): CallVerdict => {
    const told = toCallVerdict(verdict);
    // A question that was taken back is asked again.
    if (!withdrawn.aborted) decided?.note(call, told);
    return told;
  };
  return judged.kind === 'late' ? judged.verdict.then(noted) : noted(judged);
}

/** Returns why a request is refused because results of denied calls could not be recorded; undefined if it may go on. */
export async function refuseResults(
  results: readonly ResultOfCall[],
  { gate, rounds, request }: Omit<Judging, 'withdrawn'>,
): Promise<string | undefined> {
  const judged = rounds.judge(gate, () => gate.judgeResults(results, request));
  const verdict = judged.kind === 'late' ? await judged.verdict : judged;
  return verdict.kind === 'reply' ? verdict.line : undefined;
}

function toCallVerdict(verdict: Verdict): CallVerdict {
  if (verdict.kind === 'forward') return ALLOWED;
  const note = verdict.kind === 'reply' ? verdict.line : '';
  return { isAllowed: false, note: note === '' ? formatNote('a tool call was denied.') : note };
}

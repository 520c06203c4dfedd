import type { ModelRequest } from '../../gate/model/call-targets.ts';
import type { RequestFate } from '../../gate/ports/records.ts';
import type { Rounds } from '../../gate/rounds.ts';
import type { JsonObject } from '../../protocol/llm/json-object.ts';
import type { AnswerRequest, ModelApi, OfferedTool, RequestPlace } from '../../protocol/llm/model-api.ts';
import { refuseResults } from './judge-call.ts';
import { type AnswerSecrets, answerSecrets } from './answer-secrets.ts';
import type { LlmGuard } from './llm-guard.ts';
import { deniedTools, repairRequest } from './llm-request.ts';

interface CheckOptions {
  readonly api: ModelApi;
  readonly guard: LlmGuard;
  readonly rounds: Rounds;
  readonly place: RequestPlace;
  /** True if an agent goes on with the answer: a count or a batch may be about any text. */
  readonly isFromAgent: boolean;
  /** Describes the request with its tools. */
  readonly describe: (asked: Pick<AnswerRequest, 'tools' | 'previousAnswer'>) => ModelRequest;
  /** Counts the request. */
  readonly count: (fate: RequestFate) => void;
}

/** A request that may go on. */
export interface CheckedRequest {
  /** The text to send; undefined if it is the received one. */
  readonly text: string | undefined;
  readonly asked: AnswerRequest;
  readonly about: ModelRequest;
  /** Restores the answer. */
  readonly secrets?: AnswerSecrets | undefined;
}

/** A refused request, with the HTTP status of the answer. */
export interface RefusedRequest {
  readonly status: number;
  readonly why: string;
}

/**
 * Checks a request for an answer before it goes on: records results of denied calls, removes what the provider must not run, puts denied
 * calls back, and replaces secrets.
 *
 * @param text undefined if it is not valid UTF-8
 */
export async function checkRequest(
  text: string | undefined,
  { api, guard, rounds, place, isFromAgent, describe, count }: CheckOptions,
): Promise<CheckedRequest | RefusedRequest> {
  const { gate } = guard;
  const read = text === undefined ? 'the request is not valid UTF-8' : api.readRequest(text, place);
  if (typeof read === 'string' && !gate.isObserving) {
    count('refused');
    return { status: 400, why: `clawai refused this request: ${read}` };
  }
  count('checked');
  const { said, ...asked }: AnswerRequest = typeof read === 'string' ? NO_TOOLS : read;
  const about = describe(asked);
  const refusal = await refuseResults(asked.results, { gate, rounds, request: about });
  if (refusal !== undefined) return { status: 503, why: refusal };
  guard.offered?.note(
    about,
    asked.tools.filter((tool: OfferedTool) => !api.isRunByProvider(tool)),
  );
  await gate.refresh();
  const denied = deniedTools(asked, gate, api);
  const isEdited = denied.providerTools.size + denied.mcpServers.size + denied.mcpTools.size > 0;
  const edited = isEdited ? api.editRequest(text ?? '', denied, place) : text;
  const repaired = edited && repairRequest(edited, { api, denied: gate.denied, asked, place });
  const secrets = typeof read === 'string' ? undefined : guard.secrets;
  // Last, so that it also sees the calls that were put back.
  const sent =
    secrets === undefined || repaired === undefined ? repaired : await secrets.edit(repaired, { api, place, request: about });
  if (typeof read !== 'string') guard.bodies?.keepRequest(about.id, sent ?? '');
  if (said !== undefined && isFromAgent) noteWords({ said, length: text?.length ?? 0 }, { api, guard, asked });
  const restoring = await answerSecrets({ guard, rounds, api, request: about });
  return { text: sent === text ? undefined : sent, asked, ...restoring };
}

/** Requests without tools are no agent's own: a page that it fetched is summed up so, and comes as words of the user. */
function noteWords(
  request: { readonly said: JsonObject; readonly length: number },
  { api, guard, asked }: { readonly api: ModelApi; readonly guard: LlmGuard; readonly asked: AnswerRequest },
): void {
  const { tools, previousAnswer } = asked;
  if (tools.some((tool) => !api.isRunByProvider(tool)) || previousAnswer !== undefined)
    guard.words?.take({ ...request, api: api.texts, isContinued: previousAnswer !== undefined });
}

/** Stands for a request that is not read. */
export const NO_TOOLS: AnswerRequest = { tools: [], mcpServers: [], results: [], previousAnswer: undefined };

import type { DeniedLedger } from '../../gate/denied-ledger.ts';
import type { AnswerRequest, ModelApi, RequestPlace } from '../../protocol/llm/model-api.ts';
import { MARKED_NOTE } from '../../protocol/llm/note.ts';

export interface RepairOptions {
  readonly api: ModelApi;
  readonly denied: DeniedLedger;
  /** The request, as it was read. */
  readonly asked: AnswerRequest;
  readonly place: RequestPlace;
}

/** The request with the denied calls in it that it is about; the same text where it is about none, which one search shows. */
export function repairRequest(text: string, { api, denied, asked, place }: RepairOptions): string {
  if (denied.isEmpty) return text;
  const { previousAnswer } = asked;
  const isContinued = previousAnswer !== undefined && denied.ofAnswer(previousAnswer).length > 0;
  return isContinued || text.includes(MARKED_NOTE) ? api.restore(text, denied, place) : text;
}

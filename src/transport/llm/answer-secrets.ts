import type { ModelRequest } from '../../gate/model/call-targets.ts';
import type { ModelGate } from '../../gate/model/model-gate.ts';
import type { AnswerSecrets } from '../../gate/model/secrets/load-search.ts';
import type { ModelSecrets } from '../../gate/model/secrets/model-secrets.ts';
import type { Rounds } from '../../gate/rounds.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';

export type { AnswerSecrets } from '../../gate/model/secrets/load-search.ts';

interface AnswerSecretsOptions {
  readonly guard: { readonly gate: ModelGate; readonly secrets: ModelSecrets | undefined };
  readonly rounds: Rounds;
  readonly api: ModelApi;
  readonly request: ModelRequest;
}

/** Returns what restores the answer to a request, if anything does, and the request as its calls are then judged. */
export async function answerSecrets({ guard, rounds, api, request }: AnswerSecretsOptions): Promise<{
  readonly about: ModelRequest;
  readonly secrets: AnswerSecrets | undefined;
}> {
  const { gate } = guard;
  const serversOf = (call: Parameters<ModelGate['serversOf']>[0]): readonly string[] =>
    rounds.lookUp(gate, () => gate.serversOf(call, request));
  const secrets = await guard.secrets?.ofAnswer(request, { api, serversOf });
  return { about: secrets?.hide === undefined ? request : { ...request, hide: secrets.hide }, secrets };
}

/** Returns an API whose streams are restored before their calls are judged. */
export function restoredApi(api: ModelApi, secrets: AnswerSecrets | undefined): ModelApi {
  return secrets === undefined ? api : { ...api, createStream: (options) => secrets.createStream(options) };
}

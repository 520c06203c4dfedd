import type { JsonObject } from './json-object.ts';
import type { CallVerdict, ModelCall, ModelStream, StreamOptions } from './dialect.ts';

/** A denied call, with what later requests need to know about it. */
export interface DeniedCall {
  /** The API's own id; empty if it has none. */
  readonly id: string;
  readonly name: string;
  /** The call as in a request's history: JSON text in the API's own words. */
  readonly text: string;
  /** The whole note that replaced it in the answer. */
  readonly note: string;
}

/** A denied call, and the place of its note in a text. */
export interface NotedCall {
  readonly call: DeniedCall;
  readonly start: number;
  readonly end: number;
}

/** The denied calls of one provider's conversations. */
export interface DeniedCalls {
  /**
   * Finds the calls whose whole notes occur in a text, in order, each once, at its first place. A note that was changed, invented, or given
   * in another conversation does not count.
   */
  notedIn(text: string): readonly NotedCall[];
  /** Returns the denied calls of an answer that the provider stores. @param id the API's id of the answer, or of its conversation */
  ofAnswer(id: string): readonly DeniedCall[];
  /** Finds a call by the mark of its note; undefined if there is none. */
  ofMark(mark: string): DeniedCall | undefined;
  /** Tells whether a call of this id was denied, and no other call of it was allowed. */
  isDenied(id: string): boolean;
}

/** A tool that a request offers to the model. */
export interface OfferedTool {
  /** Empty for a toolset whose tools the request does not list. */
  readonly name: string;
  readonly type: string;
  /** The toolset or server that contains it. */
  readonly group: string | undefined;
  /** Source text of its definition as an object; undefined if it has none of its own. */
  readonly definition?: string | undefined;
}

/** A request for a model's answer, with the parts that matter here. */
export interface AnswerRequest {
  readonly tools: readonly OfferedTool[];
  /** MCP servers that the provider itself calls. `allowed`: the tools that the request restricts it to; empty if it does not. */
  readonly mcpServers: readonly { readonly name: string; readonly url: string; readonly allowed: readonly string[] }[];
  /** Results of calls that the client sends. */
  readonly results: readonly ResultOfCall[];
  /** The answer that this one continues, if the provider stores the conversation. */
  readonly previousAnswer: string | undefined;
  /** True if `previousAnswer` is the id of a whole conversation, whose answers all continue it. */
  readonly isConversation?: boolean;
  /** The members with words of the user and of the system; none of a batch. They are large, so nobody keeps them. */
  readonly said?: JsonObject;
}

/** The result of a call, identified by the call's id; if that is empty, by the call's content. */
export interface ResultOfCall {
  readonly id: string;
  /** `args` is JSON text. */
  readonly call?: { readonly name: string; readonly args: string } | undefined;
}

/** The tools run by the provider that the policy denies. All names are as in the request. */
export interface DeniedTools {
  /** The provider's own tools. */
  readonly providerTools: ReadonlySet<string>;
  readonly mcpServers: ReadonlySet<string>;
  /** Tools of MCP servers, by server. */
  readonly mcpTools: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The purpose of a request. `answer`: a model's answer, whole or streamed. `stored_answer`: one that was asked for before, by its id. `count`: the same request, only to count its tokens. `batch`:
 * many such requests. `answer_frames`: a WebSocket with many of them and their answers. `batch_state`: their progress, and the URL of their results. `answer_lines`: these results, one answer per line.
 * `unguarded`: anything that may contain calls that we can't see. `other`: anything without calls.
 */
export type ApiRoute =
  | 'answer'
  | 'answer_frames'
  | 'stored_answer'
  | 'count'
  | 'batch'
  | 'batch_state'
  | 'answer_lines'
  | 'unguarded'
  | 'other';

/** The place of requests for answers: the body is one request, or a batch of many. */
export type RequestPlace = 'body' | 'batch';

/** The place of a whole answer: the body, or a line of a batch's results. */
export type AnswerPlace = 'body' | 'line';

/** An API by the places of texts in its requests and answers. */
export type TextsName = 'anthropic' | 'chat' | 'responses' | 'gemini';

/** One LLM API: its paths, requests and answers. Pure; one value per dialect, in `model-apis.ts`. */
export interface ModelApi {
  readonly dialect: string;
  /** Returns the API at a path, if the provider has another one there. @param path as above, with any query */
  at?(path: string): ModelApi;
  /** Tells whether this path streams answers as the elements of one JSON array. By default no path does. @param path as above */
  isArrayStream?(path: string): boolean;
  /**
   * Reads a request. @returns a description of the fault if readers may differ on it; for a batch, the parts of all its requests together
   */
  readRequest(text: string, place: RequestPlace): AnswerRequest | string;
  /** Removes what is denied from the request; everything else stays byte for byte. @param text one that `readRequest` could read */
  editRequest(text: string, denied: DeniedTools, place: RequestPlace): string;
  /**
   * Puts denied calls back into the request, as the model made them, each with a result that says that it was denied; everything else stays
   * byte for byte. Returns the same text if there are none. A call is restored at most once, and only if its whole note is in the model's
   * text.
   *
   * @param text one that `readRequest` could read
   */
  restore(text: string, denied: DeniedCalls, place: RequestPlace): string;
  /** Tells whether the provider runs this tool, so that its calls have already run when we see them. */
  isRunByProvider(tool: OfferedTool): boolean;
  createStream(options: StreamOptions): ModelStream;
  /** @returns a description of the fault if readers may differ on the calls */
  findCalls(text: string, place: AnswerPlace): readonly ModelCall[] | string;
  /** Replaces denied calls in the answer by notes. @param verdicts one for each call found in it */
  rewrite(text: string, verdicts: readonly CallVerdict[], place: AnswerPlace): string;
  /** Moves the URLs of batches' results to another base URL than the API's, since clients fetch them from the given URL. */
  moveResults(text: string, base: string): string;
  /** The name of its places of texts, which only a search for secrets loads. */
  readonly texts: TextsName;
  /** Formats an error body as clients of the API read it. @param kind whose fault it is: the client's, or ours and upstream's */
  errorBody(message: string, kind: 'request' | 'server'): string;
  /**
   * Replaces upstream's refusal of a continued request, if the reason is a call without result in an earlier answer: it returns the error
   * at which the client sends the whole conversation again. Undefined for any other refusal. Not implemented if clients of the API know no
   * such error.
   *
   * @param refusal the body of an answer with status 400
   */
  replayError?(refusal: string): { readonly status: number; readonly body: string } | undefined;
}

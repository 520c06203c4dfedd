import type { CallVerdict, ModelCall, ModelStream, StreamOptions } from './dialect.ts';

/** A call that was denied, as far as the requests after it have to know it. */
export interface DeniedCall {
  /** The API's own id; empty where it has none. */
  readonly id: string;
  readonly name: string;
  /** As a request's history has it: JSON text in the API's own words. */
  readonly text: string;
  /** The whole note that took its place in the answer. */
  readonly note: string;
}

/** A call in a text, where its note is. */
export interface NotedCall {
  readonly call: DeniedCall;
  readonly start: number;
  readonly end: number;
}

/** The denied calls of the conversations that go one way. */
export interface DeniedCalls {
  /** The calls whose whole notes are in a text, in order, each once, where it is first. A note that was changed, made up, or given in another conversation is none. */
  notedIn(text: string): readonly NotedCall[];
  /** Those of an answer that the provider remembers. @param id the API's id of the answer */
  ofAnswer(id: string): readonly DeniedCall[];
}

/** A tool that a request offers to the model. */
export interface OfferedTool {
  /** Empty for a set of tools whose names the request does not list. */
  readonly name: string;
  readonly type: string;
  /** The toolset or server that it is part of. */
  readonly group: string | undefined;
  /** Source text of its definition as an object; undefined where it has none of its own. */
  readonly definition?: string | undefined;
}

/** A request for an answer of a model, as far as anybody has to know it. */
export interface AnswerRequest {
  readonly tools: readonly OfferedTool[];
  /** MCP servers that the provider itself is to call. `allowed`: the tools that the request restricts it to; none where it does not. */
  readonly mcpServers: readonly { readonly name: string; readonly url: string; readonly allowed: readonly string[] }[];
  /** What the client says that calls came to. */
  readonly results: readonly ResultOfCall[];
  /** The answer that this goes on from, where the provider remembers the conversation. */
  readonly previousAnswer: string | undefined;
}

/** That there is a result of a call, by the call's id; where it has none, that is empty, and the call is known by what it was. */
export interface ResultOfCall {
  readonly id: string;
  /** Its arguments are JSON text. */
  readonly call?: { readonly name: string; readonly args: string } | undefined;
}

/** What a policy denies of what the provider would run by itself. All names as the request has them. */
export interface DeniedTools {
  /** Tools of the provider's own. */
  readonly providerTools: ReadonlySet<string>;
  readonly mcpServers: ReadonlySet<string>;
  /** Tools of MCP servers, by the server. */
  readonly mcpTools: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * What a request is for. `answer`: an answer of the model, whole or as a stream. `count`: the same request, of which only the size is
 * asked. `batch`: many such requests. `batch_state`: how far they are, and where what came of them is. `answer_lines`: that, one answer a
 * line. `unguarded`: whatever may have calls in it that nobody would see. `other`: nothing that has any.
 */
export type ApiRoute = 'answer' | 'count' | 'batch' | 'batch_state' | 'answer_lines' | 'unguarded' | 'other';

/** Where requests for answers lie: one is the body, or many are parts of a batch. */
export type RequestPlace = 'body' | 'batch';

/** Where a whole answer lies: it is the body, or in a line of a batch's results. */
export type AnswerPlace = 'body' | 'line';

/** One LLM API: its paths, requests and answers. Pure; one value for each dialect, in `model-apis.ts`. */
export interface ModelApi {
  readonly dialect: string;
  /** Are answers in JSON streams there, as the elements of one array? Nowhere, unless said otherwise. @param path as above */
  isArrayStream?(path: string): boolean;
  /** @returns what is wrong, where readers may differ on what it says. Of a batch: what all of its requests have, together */
  readRequest(text: string, place: RequestPlace): AnswerRequest | string;
  /** The request without what is denied, everything else byte for byte. @param text which `readRequest` could read */
  editRequest(text: string, denied: DeniedTools, place: RequestPlace): string;
  /**
   * The request with the calls in it again that we had denied, as the model made them, each with a result that says so; everything else byte
   * for byte. The same text, where there is none. A call is restored once at most, and only where the whole note is in what the model said.
   *
   * @param text which `readRequest` could read
   */
  restore(text: string, denied: DeniedCalls, place: RequestPlace): string;
  /** Is it a tool that the provider runs, so that its calls have been made by the time they are seen? */
  isRunByProvider(tool: OfferedTool): boolean;
  createStream(options: StreamOptions): ModelStream;
  /** @returns what is wrong, where readers may differ on what the calls are */
  findCalls(text: string, place: AnswerPlace): readonly ModelCall[] | string;
  /** The answer with what was denied replaced by notes. @param verdicts one for each call that was found in it */
  rewrite(text: string, verdicts: readonly CallVerdict[], place: AnswerPlace): string;
  /** What is told of batches, with their results below another base URL than the API's: clients fetch them where they are told to. */
  moveResults(text: string, base: string): string;
  /** The body of an error, as clients of the API read it. @param kind whose fault it is: the client's, or ours and upstream's */
  errorBody(message: string, kind: 'request' | 'server'): string;
  /**
   * What to tell a client in the place of upstream's refusal of a request that goes on from an earlier answer, where that is because a call in
   * that answer has no result: the error at which the client sends the whole conversation. Undefined where the refusal is about anything
   * else. Not there where clients of the API know no such error.
   *
   * @param refusal the body of an answer with status 400
   */
  replayError?(refusal: string): { readonly status: number; readonly body: string } | undefined;
}

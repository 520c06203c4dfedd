import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { ModelRequest } from '../../gate/model/call-targets.ts';
import type { RequestFate } from '../../gate/ports/records.ts';
import type { Framing, ModelCall } from '../../protocol/llm/dialect.ts';
import type { AnswerRequest, ApiRoute } from '../../protocol/llm/model-api.ts';
import { routeOf } from '../../protocol/llm/routes/route-of.ts';
import { BODY_PROBLEMS, decodeStream, readBody } from '../http/read-body.ts';
import { UpgradeResponse } from '../http/upgrade-response.ts';
import { UpstreamFault } from '../http/upstream-fault.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import { judgedHead, sendRewritten } from '../mcp-http/send-judged.ts';
import { answerSecrets, type AnswerSecrets, restoredApi } from './answer-secrets.ts';
import { checkRequest, NO_TOOLS } from './check-request.ts';
import { judgeCall, type Judging, toModelRequest } from './judge-call.ts';
import { type LlmGuard, type LlmParts, ModelRequests } from './llm-guard.ts';
import { describeUnchecked, methodOf } from './llm-request.ts';
import { framingOf, relayModel } from './model-relay.ts';
import { passLines } from './pass-lines.ts';
import { type Exchange, ProviderClient } from './provider-client.ts';
import { toldError } from './told-error.ts';

type GuardedJudging = Judging & Pick<LlmGuard, 'bodies'>;

/** The route to one LLM provider. Calls in a model's answer are judged before the client sees them. */
export class LlmRoute {
  readonly parts: LlmParts;
  /** Counts of all requests for answers. */
  readonly requests = new ModelRequests();
  readonly #provider: ProviderClient;

  constructor(parts: LlmParts) {
    this.parts = parts;
    this.#provider = new ProviderClient(parts);
  }

  /**
   * @param rest path after the route's secret, as it was sent; empty, or with a leading slash
   * @param query with its question mark; empty if there is none
   */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    { rest, query }: { readonly rest: string; readonly query: string },
  ): void {
    const { counters, warn, name } = this.parts;
    counters.requests++;
    counters.last = Date.now();
    const leaving = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) leaving.abort();
    });
    const exchange = this.#provider.exchange({ request, response, signal: leaving.signal }, { rest, query });
    this.#handle(exchange).catch((error: unknown) => {
      if (leaving.signal.aborted) return;
      if (!(error instanceof UpstreamFault))
        warn(`a request to ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
      else this.parts.onFault(error);
      counters.failed++;
      if (response.headersSent) response.destroy();
      else
        this.#fail(
          response,
          error instanceof UpstreamFault ? 502 : 500,
          error instanceof UpstreamFault ? `clawai: ${error.message}` : 'clawai failed to handle this request',
        );
    });
  }

  close(): void {
    this.parts.upstream.close();
  }

  async #handle(exchange: Exchange): Promise<void> {
    const { api, guards } = this.parts;
    const { request, path } = exchange;
    if (guards === undefined) return this.#pass(exchange);
    const isSocket = /websocket/i.test(request.headers.upgrade ?? '');
    const method = methodOf(request);
    const route = routeOf(api.dialect, {
      method: isSocket && method === 'GET' ? 'WEBSOCKET' : method,
      base: this.parts.path,
      path,
    });
    if (!isSocket && route === 'other') return this.#pass(exchange);
    if (!isSocket && route === 'batch_state') return this.#batchState(exchange);
    const guard = await guards.of(request.socket);
    if (route === 'answer_frames' && exchange.response instanceof UpgradeResponse)
      return guard.during(() => this.#answerFrames(exchange, guard, exchange.response as UpgradeResponse));
    if (route === 'unguarded' || isSocket) {
      // Nobody would check a model's calls there.
      const { isObserving } = guard.gate;
      const fallsBack = isSocket && routeOf(api.dialect, { method: 'POST', base: this.parts.path, path }) === 'answer';
      if (isObserving || !fallsBack) this.#count(guard, isObserving ? 'unchecked' : 'refused');
      return isObserving ? this.#pass(exchange) : this.#refuse(exchange, isSocket ? 426 : 400, !fallsBack);
    }
    return guard.during(() => {
      if (route === 'answer_lines') return this.#answerLines(exchange, guard);
      return route === 'stored_answer' ? this.#storedAnswer(exchange, guard) : this.#answer(exchange, guard, route);
    });
  }

  /**
   * @param status 426 for a WebSocket: clients that support both then use POST
   * @param isTold false if the client asks again by POST, so that nothing is lost
   */
  #refuse({ request, response, rest }: Exchange, status: 400 | 426, isTold = true): void {
    const { api, counters, onFault } = this.parts;
    counters.answered++;
    const { told, why } = describeUnchecked({ method: status === 426 ? undefined : request.method, path: rest, api });
    // Agents show such errors in many ways, or not at all.
    if (isTold) onFault({ message: told });
    this.#fail(response, status, why);
  }

  #count(guard: LlmGuard, fate: RequestFate): void {
    this.requests.count(fate);
    guard.requests.count(fate);
  }

  /** Handles a request for an answer: removes what the provider must not run, and judges the model's calls. */
  async #answer(exchange: Exchange, guard: LlmGuard, route: ApiRoute): Promise<void> {
    const { limits, counters } = this.parts;
    const { gate } = guard;
    const { api, request, response } = exchange;
    const read = await readBody(request, { limit: limits.message });
    if (read.kind !== 'ok') {
      const [status, why] = BODY_PROBLEMS[read.kind];
      counters.answered++;
      this.#count(guard, 'refused');
      return this.#fail(response, status, why);
    }
    const checked = await checkRequest(isUtf8(read.body) ? read.body.toString('utf8') : undefined, {
      api,
      guard,
      rounds: this.parts.rounds,
      place: route === 'batch' ? 'batch' : 'body',
      isFromAgent: route === 'answer',
      describe: (asked) => this.#about(request, asked),
      count: (fate) => {
        if (fate !== 'checked' || route !== 'count') this.#count(guard, fate);
      },
    });
    if ('status' in checked) {
      counters.answered++;
      return this.#fail(response, checked.status, checked.why);
    }
    const { asked: offered, about, text, secrets } = checked;
    const answer = await this.#provider.send(exchange, text === undefined ? read.body : Buffer.from(text));
    const { statusCode: status } = answer;
    if (status >= 400) return this.#passError(exchange, answer, { gate, asked: offered });
    if (offered.isConversation === true && route === 'answer') gate.denied.settle(offered.previousAnswer ?? '');
    if (route === 'batch') return this.#passState(exchange, answer);
    if (route !== 'answer' || status < 200 || status === 304) return this.#passAnswer(exchange, answer);
    return this.#passJudged(exchange, answer, this.#judging(exchange, guard, { about, secrets }));
  }

  /** Handles a request for a WebSocket: requests for answers, and the answers, come in its frames. */
  async #answerFrames(exchange: Exchange, guard: LlmGuard, response: UpgradeResponse): Promise<void> {
    const { parts } = this;
    const { api, request } = exchange;
    // Most clients ask by POST alone.
    const [{ acceptWebSocket, openWebSocket }, { relayFrames }] = await Promise.all([
      import('../http/web-socket.ts'),
      import('./response-socket.ts'),
    ]);
    const opened = await this.#provider.openSocket(exchange, openWebSocket, parts.limits.frame);
    if ('refusal' in opened) return this.#passError(exchange, opened.refusal, { gate: guard.gate, asked: NO_TOOLS });
    const { socket: upstream, rawHeaders } = opened;
    const client = acceptWebSocket(request, response, { rawHeaders, maxMessage: parts.limits.message });
    if (client === undefined) return upstream.terminate();
    await relayFrames({
      client,
      upstream,
      api,
      guard,
      parts,
      describe: (asked) => this.#about(request, asked),
      count: (fate) => this.#count(guard, fate),
      closing: response.closing,
    });
  }

  /** Handles a request for an answer that was asked for before, or for its end. */
  async #storedAnswer(exchange: Exchange, guard: LlmGuard): Promise<void> {
    const { request, response } = exchange;
    const asked = await readBody(request, { limit: this.parts.limits.message });
    if (asked.kind !== 'ok') {
      const [status, why] = BODY_PROBLEMS[asked.kind];
      this.parts.counters.answered++;
      this.#count(guard, 'refused');
      return this.#fail(response, status, why);
    }
    this.#count(guard, 'checked');
    await guard.gate.refresh();
    const answer = await this.#provider.send(exchange, request.method === 'GET' ? undefined : asked.body);
    if (answer.statusCode >= 400) return this.#passError(exchange, answer, { gate: guard.gate, asked: NO_TOOLS });
    const { rounds } = this.parts;
    const about = await answerSecrets({ guard, rounds, api: exchange.api, request: this.#about(request, NO_TOOLS) });
    const judging = this.#judging(exchange, guard, about);
    return this.#passJudged(exchange, answer, { ...judging, isStored: true });
  }

  #judging(
    { signal }: Exchange,
    { gate, bodies, decided }: LlmGuard,
    { about: request, secrets }: { readonly about: ModelRequest; readonly secrets: AnswerSecrets | undefined },
  ): GuardedJudging {
    return { gate, bodies, decided, rounds: this.parts.rounds, request, withdrawn: signal, secrets };
  }

  /** Passes an answer as the verdicts on its calls say, streamed or whole. */
  #passJudged(exchange: Exchange, answer: UpstreamResponse, judging: GuardedJudging): Promise<void> {
    const { api } = exchange;
    const framing = framingOf(answer, { api, path: exchange.path });
    if (framing !== undefined) return this.#relay(exchange, answer, { ...judging, framing });
    return this.#rewrite(exchange, answer, judging);
  }

  async #relay(
    { response, api }: Exchange,
    answer: UpstreamResponse,
    judging: GuardedJudging & { framing: Framing },
  ): Promise<void> {
    const { limits, counters, warn, keepAlive, heap } = this.parts;
    const source = this.#decoded(response, answer);
    if (source === undefined) return;
    response.writeHead(answer.statusCode, judgedHead(answer, true));
    // Not at once: the first event is usually there already, and goes out with the head.
    setImmediate(() => response.flushHeaders());
    counters.streams++;
    const restored = restoredApi(api, judging.secrets);
    const watched = judging.bodies?.watch(restored, judging.request.id);
    try {
      await relayModel({
        ...judging,
        api: watched?.api ?? restored,
        source,
        response,
        maxFrame: limits.frame,
        warn,
        ...(keepAlive === undefined ? {} : { keepAlive }),
        ...(heap === undefined ? {} : { heap }),
      });
    } finally {
      counters.streams--;
      watched?.keep();
      judging.secrets?.report();
    }
  }

  async #rewrite({ response, api }: Exchange, answer: UpstreamResponse, judging: GuardedJudging): Promise<void> {
    const { name } = this.parts;
    const read = await this.#readAnswer(response, answer);
    if (read === undefined) return;
    const given = isUtf8(read) ? read.toString('utf8') : undefined;
    const text = given && (judging.secrets?.restoreAnswer(given, 'body') ?? given);
    judging.secrets?.report();
    const calls = text === undefined ? 'it is not valid UTF-8' : api.findCalls(text, 'body');
    const isUnclear = typeof calls === 'string';
    if (isUnclear && !judging.gate.isObserving)
      return this.#fail(response, 502, `clawai refused the answer of ${name}: ${calls}`);
    if (!isUnclear) judging.bodies?.keepAnswer(judging.request.id, given ?? '');
    const verdicts = await Promise.all((isUnclear ? [] : calls).map((call: ModelCall) => judgeCall(call, judging)));
    const isWhole = verdicts.every(({ isAllowed }) => isAllowed);
    const body = isWhole && text === given ? read : Buffer.from(api.rewrite(text ?? '', verdicts, 'body'));
    sendRewritten(response, answer, body);
  }

  async #batchState(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const asked = await readBody(request, { limit: this.parts.limits.message });
    if (asked.kind !== 'ok') {
      const [status, why] = BODY_PROBLEMS[asked.kind];
      return this.#fail(response, status, why);
    }
    await this.#passState(exchange, await this.#provider.send(exchange, request.method === 'GET' ? undefined : asked.body));
  }

  /** Passes a batch's state with the URL of its results replaced by ours. */
  async #passState({ response, ours }: Exchange, answer: UpstreamResponse): Promise<void> {
    const read = await this.#readAnswer(response, answer);
    if (read === undefined || response.destroyed) return;
    const body = isUtf8(read) ? Buffer.from(this.parts.api.moveResults(read.toString('utf8'), ours)) : read;
    sendRewritten(response, answer, body);
  }

  async #answerLines(exchange: Exchange, guard: LlmGuard): Promise<void> {
    const { gate } = guard;
    const answer = await this.#provider.send(exchange, undefined);
    if (answer.statusCode >= 400) return this.#passError(exchange, answer, { gate, asked: NO_TOOLS });
    const source = this.#decoded(exchange.response, answer);
    if (source === undefined) return;
    const { api, limits, rounds } = this.parts;
    const { about: request, secrets } = await answerSecrets({
      guard,
      rounds,
      api,
      request: this.#about(exchange.request, NO_TOOLS),
    });
    const judging: Judging = { gate, rounds, request, withdrawn: exchange.signal, secrets };
    exchange.response.writeHead(answer.statusCode, judgedHead(answer, true));
    await passLines({ ...judging, api, source, response: exchange.response, maxLine: limits.message });
  }

  /** Passes a request that needs no check, and its answer, unchanged. */
  async #pass(exchange: Exchange): Promise<void> {
    const answer = await this.#provider.forward(exchange);
    this.#passAnswer(exchange, answer);
  }

  /** Passes the provider's own error. */
  async #passError(
    { response, api }: Exchange,
    answer: UpstreamResponse | IncomingMessage,
    { gate, asked }: Pick<LlmGuard, 'gate'> & { readonly asked: AnswerRequest },
  ): Promise<void> {
    const read = await this.#readAnswer(response, answer);
    if (read === undefined) return;
    const { name } = this.parts;
    const { statusCode = 502, rawHeaders } = answer;
    const told = toldError({ status: statusCode, body: read }, { api, asked });
    if (told === undefined && !gate.isObserving)
      return this.#fail(response, 502, `clawai refused the answer of ${name}: it is an error with a call in it`);
    const { status, body } = told ?? { status: statusCode, body: read };
    sendRewritten(response, { statusCode: status, rawHeaders }, body);
  }

  /** Reads the whole body of an answer. On failure the client is answered, and the result is undefined. */
  async #readAnswer(response: ServerResponse, answer: UpstreamResponse | IncomingMessage): Promise<Buffer | undefined> {
    const read = await readBody(answer, { limit: this.parts.limits.message });
    if (read.kind === 'ok') return read.body;
    answer.destroy();
    this.#fail(response, 502, `the answer of ${this.parts.name} could not be read (${read.kind})`);
    return undefined;
  }

  /** Decodes the body as a stream. If its encoding is unknown the client is answered, and the result is undefined. */
  #decoded(response: ServerResponse, answer: UpstreamResponse): Readable | undefined {
    const source = decodeStream(answer);
    if (source === undefined) {
      answer.destroy();
      this.#fail(response, 502, `${this.parts.name} answers in an unknown encoding`);
    }
    return source;
  }

  #passAnswer(exchange: Exchange, answer: UpstreamResponse): void {
    const { response } = exchange;
    response.writeHead(answer.statusCode ?? 502, this.#provider.downstreamHeaders(answer, exchange));
    // The answer may already be broken. If it breaks, the client sees the break.
    pipeline(answer, response, () => {});
  }

  #about({ headers }: IncomingMessage, { tools }: Pick<AnswerRequest, 'tools'>): ModelRequest {
    return toModelRequest({ dialect: this.parts.api.dialect, id: this.parts.requestId(), headers, tools });
  }

  #fail(response: ServerResponse, status: number, why: string): void {
    if (response.headersSent || response.destroyed) return;
    const body = Buffer.from(this.parts.api.errorBody(why, status < 500 ? 'request' : 'server'));
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-length': body.length, connection: 'close' })
      .end(body);
  }
}

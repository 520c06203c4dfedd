import { isObject, type JsonObject, textOf } from '../json-object.ts';
import type { AnswerRequest, OfferedTool, ResultOfCall } from '../model-api.ts';
import { readRequestBody, urlWithoutSecrets } from '../read-request.ts';
import { type Fields, fieldsOf, FUNCTIONS, MCP_SERVERS, toCamel } from './keys.ts';
import { saidMembers } from '../said/said-texts.ts';

const VARIANT = 'the request has a key that some readers take for another';

/**
 * Reads a request for an answer, for a token count, or for cached content, in time linear in its length. It keeps no secrets.
 *
 * @param text the body, decoded
 * @returns a description of the fault if readers may differ on it
 */
export function readRequest(text: string): AnswerRequest | string {
  const body = readRequestBody(text);
  if (typeof body === 'string') return body;
  const reader = new RequestReader();
  reader.body(body);
  if (reader.isUnclear) return VARIANT;
  const { tools, mcpServers, results } = reader;
  // The request contains the whole conversation.
  return { tools, mcpServers, results, previousAnswer: undefined, said: saidMembers(body, 'gemini') };
}

class RequestReader {
  readonly tools: OfferedTool[] = [];
  readonly mcpServers: AnswerRequest['mcpServers'][number][] = [];
  readonly results: ResultOfCall[] = [];
  /** Arguments of calls without an id, by name, and how many of them have a result. */
  readonly #withoutId = new Map<string, { readonly made: string[]; answered: number }>();
  isUnclear = false;

  body(body: JsonObject): void {
    const fields = this.#fields(body);
    for (const tool of listOf(fields.get('tools'))) this.#tool(tool);
    for (const content of listOf(fields.get('contents')))
      for (const part of listOf(this.#fields(content).get('parts'))) this.#part(part);
    // A request for a token count has the actual request here.
    const inner = fields.get('generateContentRequest');
    if (isObject(inner)) this.body(inner);
  }

  /** Reads an entry of `tools`, which has one kind of tools under each key. */
  #tool(tool: JsonObject): void {
    const named = new Map(Object.entries(tool).map(([key, value]) => [toCamel(key), value]));
    if (named.size < Object.keys(tool).length) this.isUnclear = true;
    this.#fields(tool);
    for (const [kind, value] of named) {
      if (kind === FUNCTIONS) for (const declared of listOf(value)) this.#declare(declared);
      else if (kind === MCP_SERVERS) for (const server of listOf(value)) this.#server(server);
      else this.tools.push({ name: kind, type: kind, group: undefined });
    }
  }

  #declare(declared: JsonObject): void {
    const name = this.#fields(declared).get('name');
    if (typeof name === 'string')
      this.tools.push({ name, type: 'function', group: undefined, definition: JSON.stringify(declared) });
  }

  #server(server: JsonObject): void {
    const fields = this.#fields(server);
    const transport = fields.get('streamableHttpTransport');
    const url = isObject(transport) ? this.#fields(transport).get('url') : undefined;
    this.mcpServers.push({ name: textOf(fields.get('name')), url: urlWithoutSecrets(textOf(url)), allowed: [] });
  }

  #part(part: JsonObject): void {
    const { result, call } = this.#callsIn(part);
    if (call !== undefined && textOf(call.get('id')) === '') this.#noteCall(call);
    if (result === undefined) return;
    const id = textOf(result.get('id'));
    if (id !== '') this.results.push({ id });
    // Clients make up ids for calls that have none.
    const name = textOf(result.get('name'));
    const calls = this.#withoutId.get(name);
    const args = calls?.made[calls.answered];
    if (calls === undefined || args === undefined) return;
    calls.answered++;
    this.results.push({ id: '', call: { name, args } });
  }

  #noteCall(call: Fields): void {
    const name = textOf(call.get('name'));
    const calls = this.#withoutId.get(name) ?? { made: [], answered: 0 };
    calls.made.push(JSON.stringify(call.get('args') ?? {}));
    this.#withoutId.set(name, calls);
  }

  #callsIn(part: JsonObject): { readonly result: Fields | undefined; readonly call: Fields | undefined } {
    const fields = this.#fields(part);
    const inner = (key: string): Fields | undefined => {
      const value = fields.get(key);
      return isObject(value) ? this.#fields(value) : undefined;
    };
    return { result: inner('functionResponse'), call: inner('functionCall') };
  }

  #fields(object: JsonObject): Fields {
    const fields = fieldsOf(object);
    if (fields === undefined) this.isUnclear = true;
    return fields ?? new Map<string, unknown>();
  }
}

/** Returns the objects of a list; the API accepts one object for a list of one. */
function listOf(value: unknown): readonly JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

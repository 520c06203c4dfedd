import { TEXTS } from '../../../../src/gate/model/secrets/load-search.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anthropicApi } from '../../../../src/protocol/llm/anthropic/api.ts';
import { geminiApi } from '../../../../src/protocol/llm/gemini/api.ts';
import type { ModelApi } from '../../../../src/protocol/llm/model-api.ts';
import { openaiApi } from '../../../../src/protocol/llm/openai/api.ts';
import { responsesApiAt } from '../../../../src/protocol/llm/openai/responses/api.ts';
import { SECRET, searching } from '../../../support/searching.ts';

const responsesApi = responsesApiAt('/v1/responses');
const TOOL = { name: 'read', description: `Reads ${SECRET}, EMP-123456.`, input_schema: { type: 'object', properties: {} } };
const ARGS = JSON.stringify({ password: 'hunter22', path: `/x/${SECRET}`, count: 4111111111111111 });

interface Case {
  readonly name: string;
  readonly api: ModelApi;
  /** A request: `S` stands where a text for the model is, `O` where something is opaque. */
  readonly request: (s: string, o: string) => object;
}

const CASES: readonly Case[] = [
  {
    name: 'anthropic',
    api: anthropicApi,
    request: (s, o) => ({
      model: o,
      metadata: { user_id: o },
      stop_sequences: [s],
      mcp_servers: [{ name: o, url: o, authorization_token: o }],
      output_config: { format: { type: 'json_schema', schema: { const: o } } },
      system: [{ type: 'text', text: s, cache_control: { type: 'ephemeral', ttl: o } }],
      messages: [
        { role: 'user', content: s },
        {
          role: 'user',
          content: [
            { type: 'text', text: s },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: o } },
            { type: 'document', title: s, source: { type: 'text', media_type: 'text/plain', data: s } },
            { type: 'document', source: { type: 'url', url: o } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: o, signature: o },
            { type: 'redacted_thinking', data: o },
            { type: 'compaction', content: o, encrypted_content: o },
            { type: 'compaction', content: s, encrypted_content: null },
            { type: 'tool_use', id: o, name: o, input: { a: [s, 1, { b: s }] } },
            { type: 'server_tool_use', id: o, name: 'web_search', input: { query: s } },
            {
              type: 'text',
              text: s,
              citations: [
                { type: 'char_location', cited_text: s, document_title: s, start_char_index: 0, file_id: o },
                { type: 'web_search_result_location', cited_text: o, encrypted_index: o, url: o },
              ],
            },
            {
              type: 'code_execution_tool_result',
              tool_use_id: o,
              content: { type: 'code_execution_result', stdout: s, stderr: s, return_code: 0, content: [{ file_id: o }] },
            },
            {
              type: 'code_execution_tool_result',
              content: { type: 'encrypted_code_execution_result', encrypted_stdout: o, stderr: s, return_code: 0 },
            },
            {
              type: 'bash_code_execution_tool_result',
              content: { type: 'bash_code_execution_result', stdout: s, stderr: s, return_code: 1 },
            },
            {
              type: 'text_editor_code_execution_tool_result',
              content: { type: 'text_editor_code_execution_view_result', file_type: 'text', content: s },
            },
            {
              type: 'text_editor_code_execution_tool_result',
              content: { type: 'text_editor_code_execution_str_replace_result', lines: [s], old_start: 1 },
            },
            {
              type: 'web_fetch_tool_result',
              content: {
                type: 'web_fetch_result',
                url: o,
                content: { type: 'document', title: s, source: { type: 'text', media_type: 'text/plain', data: s } },
              },
            },
            {
              type: 'web_fetch_tool_result',
              content: { type: 'web_fetch_result', content: { type: 'document', source: { type: 'base64', data: o } } },
            },
            { type: 'advisor_tool_result', content: { type: 'advisor_result', text: s } },
            { type: 'advisor_tool_result', content: { type: 'advisor_redacted_result', encrypted_content: o } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: o, content: s },
            {
              type: 'tool_result',
              tool_use_id: o,
              content: [
                { type: 'text', text: s },
                { type: 'image', source: { data: o } },
              ],
            },
            { type: 'web_search_tool_result', content: [{ encrypted_content: o, title: o }] },
            { type: 'of_tomorrow', id: o, words: [s, { inner: s, source: { url: o, data: o } }], signature: o },
          ],
        },
      ],
      tools: [{ name: o, description: o, input_schema: { type: 'object', properties: { a: { const: o } } } }],
    }),
  },
  {
    name: 'chat',
    api: openaiApi,
    request: (s, o) => ({
      model: o,
      user: o,
      messages: [
        { role: 'system', content: s, name: o },
        {
          role: 'user',
          content: [
            { type: 'text', text: s },
            { type: 'image_url', image_url: { url: o } },
            { type: 'file', file: { file_data: o, file_id: o, filename: s } },
            { type: 'input_audio', input_audio: { data: o, format: 'wav' } },
            { type: 'of_tomorrow', note: s },
          ],
        },
        {
          role: 'assistant',
          content: s,
          reasoning_content: s,
          reasoning_details: [{ type: 'reasoning.text', text: o, signature: o }],
          audio: { id: o, transcript: s, data: o },
          tool_calls: [{ id: o, type: 'function', function: { name: o, arguments: JSON.stringify({ a: s }) } }],
        },
        { role: 'tool', tool_call_id: o, content: s },
      ],
      prompt_cache_key: o,
      stop: [s],
      metadata: { task: s },
      data_sources: [{ type: 'azure_search', parameters: { authentication: { type: 'api_key', key: o } } }],
      response_format: { type: 'json_schema', json_schema: { schema: { const: o } } },
    }),
  },
  {
    name: 'responses',
    api: responsesApi,
    request: (s, o) => ({
      model: o,
      instructions: s,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: s },
            { type: 'input_image', image_url: o },
          ],
        },
        { type: 'reasoning', id: o, summary: [{ type: 'summary_text', text: o }], encrypted_content: o },
        { type: 'function_call', call_id: o, name: o, arguments: JSON.stringify({ a: s }) },
        { type: 'function_call_output', call_id: o, output: s },
        { type: 'shell_call_output', call_id: o, output: [{ stdout: s, stderr: s, outcome: { type: 'exit', exit_code: 0 } }] },
        {
          type: 'message',
          id: o,
          role: 'assistant',
          content: [{ type: 'output_text', text: s, annotations: [{ type: 'url_citation', url: o, title: s }] }],
        },
        { type: 'item_of_tomorrow', item_id: o, encrypted_words: o, words: s },
        { type: 'image_generation_call', id: o, result: o, revised_prompt: s },
        { type: 'compaction', encrypted_content: o },
        { type: 'mcp_call', id: o, name: o, server_label: o, arguments: JSON.stringify({ a: s }), output: s, error: s },
        { type: 'mcp_call', id: o, error: { type: 'mcp_tool_execution_error', content: [{ type: 'text', text: s }] } },
        {
          type: 'code_interpreter_call',
          id: o,
          container_id: o,
          code: s,
          outputs: [
            { type: 'logs', logs: s },
            { type: 'image', url: o },
          ],
        },
        { type: 'file_search_call', id: o, queries: [s], results: [{ file_id: o, filename: s, text: s, attributes: { by: s } }] },
        { type: 'web_search_call', id: o, action: { type: 'search', query: s, queries: [s], sources: [{ url: o }] } },
        { type: 'computer_call', call_id: o, action: { type: 'type', text: s } },
        { type: 'tool_search_call', id: o, arguments: { query: s } },
        { type: 'program', code: o, fingerprint: o },
      ],
      previous_response_id: o,
      prompt_cache_key: o,
    }),
  },
  {
    name: 'gemini',
    api: geminiApi,
    request: (s, o) => ({
      system_instruction: { parts: [{ text: s }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: s }, { inlineData: { mimeType: 'image/png', data: o } }, { file_data: { file_uri: o } }],
        },
        {
          role: 'model',
          parts: [
            { text: o, thought: true },
            { functionCall: { id: o, name: o, args: { a: s } }, thoughtSignature: o },
            { executableCode: { language: 'PYTHON', code: s } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: s } },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: o, response: { output: s }, parts: [{ text: s }, { inlineData: { data: o } }] } }],
        },
      ],
      cachedContent: o,
      generation_config: { stop_sequences: [s], response_schema: { default: o } },
    }),
  },
];

describe.each(CASES)('secrets in requests of $name', ({ api, request }) => {
  const edit = async (dlp: string, text: string) => searching(dlp).requests.edit(text, TEXTS[api.texts], 'body');

  it('are removed from texts for the model, and nothing else changes', async () => {
    const out = await edit('on_request = "redact"', JSON.stringify(request(`a ${SECRET} b`, SECRET)));
    expect(JSON.parse(out.text)).toEqual(request('a [redacted:github_token] b', SECRET));
    expect(out.found).toMatchObject([{ kind: 'github_token', count: 1 }]);
  });

  it('are found behind escapes, and in JSON within texts', async () => {
    const escaped = JSON.stringify(request('a SECRET b', 'x')).replaceAll('SECRET', () => `\\u0067hp_${SECRET.slice(4)}`);
    // Within arguments that are a text, the escape is one of the text.
    const out = await edit('on_request = "redact"', escaped);
    expect(out.text).not.toContain(SECRET.slice(4));
    const inner = JSON.stringify({ password: 'hunter22', list: [`"${SECRET}"`], number: 4111111111111111 });
    const nested = await edit('on_request = "redact"', JSON.stringify(request(inner, 'x')));
    const expected = JSON.stringify({
      password: '[redacted:password]',
      list: ['"[redacted:github_token]"'],
      number: 4111111111111111,
    });
    expect(JSON.parse(nested.text)).toEqual(request(expected, 'x'));
  });

  it('are found in base64, in hex, with percent signs and backwards', async () => {
    const hidden = {
      base64: Buffer.from(`it is ${SECRET}.`).toString('base64'),
      hex: Buffer.from(SECRET).toString('hex'),
      percent: SECRET.replace('_', '%5F'),
      backwards: Array.from(SECRET).toReversed().join(''),
    };
    for (const text of Object.values(hidden)) {
      const out = await edit('on_request = "redact"', JSON.stringify(request(`a ${text} b`, text)));
      expect(JSON.parse(out.text)).toEqual(request('a [redacted:github_token] b', text));
      const { requests, tokens } = searching();
      const body = JSON.stringify(request(`a ${text} b`, 'x'));
      const tokenized = requests.edit(body, TEXTS[api.texts], 'body');
      expect(tokenized.text).toBe(JSON.stringify(request(`a ${tokens.tokenOf('github_token', text)} b`, 'x')));
      expect(requests.edit(tokenized.text, TEXTS[api.texts], 'body')).toEqual({ text: tokenized.text, found: [] });
      const told = await edit('on_request = "alert"', body);
      expect(told).toEqual({ text: body, found: [expect.objectContaining({ kind: 'github_token' })] });
    }
  });

  it('have the same tokens each time, and are told of once', async () => {
    const search = searching();
    const texts = TEXTS[api.texts];
    const text = JSON.stringify(request(`a ${SECRET} b`, 'x'));
    const first = search.requests.edit(text, texts, 'body');
    expect(first.text).toBe(JSON.stringify(request(`a ${search.tokens.tokenOf('github_token', SECRET)} b`, 'x')));
    expect(search.requests.edit(text, texts, 'body')).toEqual({ text: first.text, found: [] });
    // The tokens themselves are no secrets.
    expect(search.requests.edit(first.text, texts, 'body')).toEqual({ text: first.text, found: [] });
    expect(searching(undefined, 2).requests.edit(text, texts, 'body').text).not.toBe(first.text);
    expect(searching().requests.edit(text, texts, 'body').text).toBe(first.text);
  });

  it('only are told of where the policy says so', async () => {
    const text = JSON.stringify(request(SECRET, 'x'));
    const out = await edit('on_request = "alert"', text);
    expect(out.text).toBe(text);
    expect(out.found).toHaveLength(1);
  });

  it('leave every byte as it is where there are none', async () => {
    const { requests } = searching();
    const texts = TEXTS[api.texts];
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.json(), fc.nat(3), (s, o, space) => {
        const text = JSON.stringify(request(s, o), null, space);
        expect(requests.edit(text, texts, 'body').text).toBe(text);
      }),
    );
  });
});

describe('a secret that was found once', () => {
  it('is found from there on, without what told that it is one', async () => {
    const search = searching();
    const texts = TEXTS[anthropicApi.texts];
    const history = [
      { role: 'user', content: 'Is swordfish-9 a word?' },
      { role: 'assistant', content: 'It is.' },
      { role: 'user', content: 'password = swordfish-9' },
      { role: 'assistant', content: 'I log in with swordfish-9.' },
    ];
    const token = search.tokens.tokenOf('password', 'swordfish-9');
    let before = '';
    for (let turns = 1; turns <= history.length; turns++) {
      const { text } = search.requests.edit(JSON.stringify({ messages: history.slice(0, turns) }), texts, 'body');
      expect(text.startsWith(before.replace(/\]\}$/, ''))).toBe(true);
      before = text;
    }
    expect(JSON.parse(before)).toMatchObject({
      messages: [history[0], history[1], { content: `password = ${token}` }, { content: `I log in with ${token}.` }],
    });
  });

  it('is found in base64 and hex from there on', async () => {
    const search = searching('on_request = "redact"');
    const edit = (...contents: string[]): string[] => {
      const body = JSON.stringify({ messages: contents.map((content) => ({ role: 'user', content })) });
      const { messages } = JSON.parse(search.requests.edit(body, TEXTS[anthropicApi.texts], 'body').text) as {
        messages: { content: string }[];
      };
      return messages.map(({ content }) => content);
    };
    const named = 'password = hunter2!x-swordfish';
    const base64 = Buffer.from('user:hunter2!x-swordfish').toString('base64');
    const hex = Buffer.from('hunter2!x-swordfish').toString('hex');
    expect(edit(`Basic or so ${base64}`)).toEqual([`Basic or so ${base64}`]);
    expect(edit(`Basic or so ${base64}`, named, `it is ${base64}`, `or ${hex}`)).toEqual([
      `Basic or so ${base64}`,
      'password = [redacted:password]',
      'it is [redacted:password]',
      'or [redacted:password]',
    ]);
  });

  it('is found when the client was given it, even if nothing tells any more', async () => {
    const search = searching();
    const token = search.tokens.tokenOf('password', 'swordfish-9');
    search.tokens.learn(token, { kind: 'password', value: 'swordfish-9' });
    expect(search.tokens.restore(token)).toBe('swordfish-9');
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Summary: swordfish-9, not aswordfish-9.' }] });
    const { text } = search.requests.edit(body, TEXTS[anthropicApi.texts], 'body');
    expect(text).toContain(`${token}, not aswordfish-9`);
  });

  it('is removed from all of the request and from later ones, and what was sent stays as it was', async () => {
    const { requests } = searching('on_request = "redact"');
    const texts = TEXTS[anthropicApi.texts];
    const edit = (...contents: string[]): unknown => {
      const body = JSON.stringify({ messages: contents.map((content) => ({ role: 'user', content })) });
      const { messages } = JSON.parse(requests.edit(body, texts, 'body').text) as { messages: { content: string }[] };
      return messages.map(({ content }) => content);
    };
    const [first, asked, named, used] = [
      'Hello, swordfish-9.',
      'Is swordfish-9 one?',
      'password = swordfish-9',
      'Log in: swordfish-9',
    ];
    const mark = '[redacted:password]';
    expect(edit(first)).toEqual([first]);
    const all = [first, `Is ${mark} one?`, `password = ${mark}`, `Log in: ${mark}`];
    expect(edit(first, asked, named, used)).toEqual(all);
    expect(edit(first, asked, named, used)).toEqual(all);
    expect(edit('Title of: swordfish-9')).toEqual([`Title of: ${mark}`]);
  });

  it('has its token all over the request that tells of it, and the same bytes when the client was given it', async () => {
    const search = searching();
    const texts = TEXTS[anthropicApi.texts];
    const token = search.tokens.tokenOf('password', 'hunter2!x');
    const history = [
      { role: 'user', content: 'First: hunter2!x' },
      { role: 'user', content: 'In .env: password=hunter2!x (also used bare: hunter2!x)' },
      { role: 'assistant', content: 'It is hunter2!x.' },
    ];
    const body = (turns: number): string => JSON.stringify({ messages: history.slice(0, turns), system: 'Use hunter2!x' });
    const first = search.requests.edit(body(2), texts, 'body').text;
    expect(first).toBe(body(2).replaceAll('hunter2!x', token));
    expect(search.tokens.restore(token)).toBe('hunter2!x');
    expect(search.requests.edit(body(3), texts, 'body').text).toBe(body(3).replaceAll('hunter2!x', token));
  });

  it('leaves what was sent before as it was', async () => {
    const search = searching();
    const texts = TEXTS[anthropicApi.texts];
    const token = search.tokens.tokenOf('password', 'hunter2!x');
    const sent = { system: 'Use hunter2!x', messages: [{ role: 'user', content: 'Is it hunter2!x?' }] };
    expect(search.requests.edit(JSON.stringify(sent), texts, 'body').text).toBe(JSON.stringify(sent));
    const more = (value: string): string =>
      JSON.stringify({ ...sent, messages: [...sent.messages, { role: 'user', content: `password=${value}` }] });
    expect(search.requests.edit(more('hunter2!x'), texts, 'body').text).toBe(more(token));
    search.tokens.restore(token);
    expect(search.requests.edit(more('hunter2!x'), texts, 'body').text).toBe(more(token));
  });

  it.each(['redact', 'tokenize'])('takes linear time if it comes often, or many do: %s', (mode) => {
    const { requests } = searching(`on_request = "${mode}"`);
    const texts = TEXTS[anthropicApi.texts];
    const edit = (content: string): string =>
      requests.edit(JSON.stringify({ messages: [{ role: 'user', content }] }), texts, 'body').text;
    const begin = performance.now();
    expect(edit(`password=hunter2!\n${'hunter2! '.repeat(20_000)}`)).not.toContain('hunter2!');
    const between = performance.now();
    expect(between - begin).toBeLessThan(4000);
    expect(edit(Array.from({ length: 20_000 }, (_, at) => `password=hunter2!${at}`).join('\n'))).not.toContain('hunter2!');
    expect(performance.now() - between).toBeLessThan(8000);
  });

  it('is removed if it is too short to be found again', async () => {
    const call = { type: 'tool_use', id: 't', name: 'x', input: { password: 'ab12' } };
    const body = JSON.stringify({ messages: [{ role: 'assistant', content: [call] }] });
    const { text } = searching().requests.edit(body, TEXTS[anthropicApi.texts], 'body');
    expect(text).toContain('{"password":"[redacted:password]"}');
  });
});

describe('arguments of earlier calls', () => {
  /** The arguments, and how each API has them in its history. */
  const WAYS: readonly (readonly [string, ModelApi, (args: object) => object])[] = [
    [
      'tool_use',
      anthropicApi,
      (input) => ({ messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'x', input }] }] }),
    ],
    [
      'tool_calls',
      openaiApi,
      (args) => ({
        messages: [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'x', arguments: JSON.stringify(args) } }] }],
      }),
    ],
    [
      'function_call of old',
      openaiApi,
      (args) => ({ messages: [{ role: 'assistant', function_call: { name: 'x', arguments: JSON.stringify(args) } }] }),
    ],
    [
      'function_call',
      responsesApi,
      (args) => ({ input: [{ type: 'function_call', name: 'x', arguments: JSON.stringify(args) }] }),
    ],
    ['functionCall', geminiApi, (args) => ({ contents: [{ role: 'model', parts: [{ functionCall: { name: 'x', args } }] }] })],
  ];
  const ARGUMENTS: readonly (readonly [string, object, object])[] = [
    [
      'a label beside it',
      { env: [{ name: 'PASSWORD', value: 'hunter2x' }] },
      { env: [{ name: 'PASSWORD', value: '[redacted:password]' }] },
    ],
    [
      'a label and a name of the same beginning',
      { p: { ParameterKey: 'DbPassword', ParameterValue: 'hunter2x' } },
      { p: { ParameterKey: 'DbPassword', ParameterValue: '[redacted:password]' } },
    ],
    [
      'an option before it',
      { args: ['login', '--password', 'hunter2x'] },
      { args: ['login', '--password', '[redacted:password]'] },
    ],
    ['a pair', { headers: [['X-Api-Key', 'k7f3a9q2zz']] }, { headers: [['X-Api-Key', '[redacted:api_key]']] }],
    ['an object with a telling name', { password: { value: 'hunter2x' } }, { password: { value: '[redacted:password]' } }],
    [
      'a label beside a list',
      { name: 'passwords', value: ['hunter2x', 'swordfish'] },
      { name: 'passwords', value: ['[redacted:password]', '[redacted:password]'] },
    ],
    ['a name of a member', { a: { [SECRET]: 1, 'token: x': 2 } }, { a: { '[redacted:github_token]': 1, 'token: x': 2 } }],
    ['a name with a label in it', { 'password=hunter2!x': 1 }, { 'password=[redacted:password]': 1 }],
    [
      'nothing',
      { name: 'title', value: 'hunter2x', args: ['--file', 'x'], 4539148803436467: 1 },
      { name: 'title', value: 'hunter2x', args: ['--file', 'x'], 4539148803436467: 1 },
    ],
  ];
  it.each(
    WAYS.flatMap(([way, api, history]) =>
      ARGUMENTS.map(([what, args, expected]) => [way, what, api, history(args), history(expected)] as const),
    ),
  )('in %s: what %s tells of', (_way, _what, api, body, expected) => {
    const { text } = searching('on_request = "redact"').requests.edit(JSON.stringify(body), TEXTS[api.texts], 'body');
    expect(JSON.parse(text)).toEqual(expected);
  });
});

describe('names of members', () => {
  const texts = TEXTS[anthropicApi.texts];
  const edit = (body: object): unknown =>
    JSON.parse(searching('on_request = "redact"').requests.edit(JSON.stringify(body), texts, 'body').text);

  it('have secrets in results that are JSON', () => {
    const result = (text: string) => ({
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: text }] }],
    });
    const value = JSON.stringify({ owners: { [SECRET]: 'me' }, list: [{ 'password=hunter2!x': [] }] });
    const expected = JSON.stringify({
      owners: { '[redacted:github_token]': 'me' },
      list: [{ 'password=[redacted:password]': [] }],
    });
    expect(edit(result(value))).toEqual(result(expected));
  });

  it('have secrets in blocks that nobody knows', () => {
    const block = (key: string) => ({ messages: [{ role: 'user', content: [{ type: 'of_tomorrow', words: { [key]: 1 } }] }] });
    expect(edit(block(SECRET))).toEqual(block('[redacted:github_token]'));
  });

  it('stay if they only equal a password that is a word', () => {
    const call = (password: string) => ({ type: 'tool_use', id: 't', name: 'x', input: { password, summary: 1 } });
    const request = (password: string) => ({
      messages: [{ role: 'assistant', content: [call(password), { type: 'of_tomorrow', summary: 'a' }] }],
    });
    expect(edit(request('summary'))).toEqual(request('[redacted:password]'));
  });
});

describe('definitions of tools', () => {
  it("are searched for the user's own patterns alone, in their descriptions", async () => {
    const own = '[[dlp.pattern]]\nname = "employee"\nregex = "EMP-[0-9]{6}"';
    const body = { tools: [{ ...TOOL, name: 'EMP-123456' }], messages: [{ role: 'user', content: ARGS }] };
    const { text } = searching(`on_request = "redact"\n${own}`).requests.edit(
      JSON.stringify(body),
      TEXTS[anthropicApi.texts],
      'body',
    );
    const edited = JSON.parse(text) as typeof body;
    expect(edited.tools).toEqual([{ ...TOOL, name: 'EMP-123456', description: `Reads ${SECRET}, [redacted:employee].` }]);
  });
});

describe('files in texts', () => {
  it('keep their bytes', async () => {
    const file = `data:image/png;base64,${'A'.repeat(20)}/AKIAIOSFODNN7ABCDEFG/${'B'.repeat(40)}`;
    const body = JSON.stringify({ messages: [{ role: 'user', content: `See ${file} and ${SECRET}` }] });
    const { text } = searching('on_request = "redact"').requests.edit(body, TEXTS[anthropicApi.texts], 'body');
    expect(text).toBe(body.replace(SECRET, '[redacted:github_token]'));
  });
});

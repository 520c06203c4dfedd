// The tools, resources and prompts that the conformance suite asks servers for by name, for both eras.
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const PAUSE_MS = 20;
const SLOW_MS = 4000;
/** The smallest files of their types: one pixel, and no samples. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

// The key lives as long as the process: state that another one made is refused, as it is by real servers.
const state = createRequestStateCodec({ key: randomBytes(32) });

let cancelled = 0;

const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const say = (text) => ({ content: [{ type: 'text', text }] });
const show = (value) => JSON.stringify(value);
const asUser = (content) => ({ role: 'user', content });
const embed = (uri, mimeType, text) => ({ type: 'resource', resource: { uri, mimeType, text } });

/** An input schema of texts that must all be there. */
function texts(...names) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', description: `The ${name}` }]));
  return fromJsonSchema({ type: 'object', properties, required: names });
}

function form(message, properties) {
  return inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } });
}

function question(text, maxTokens = 100) {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
}

/** The client's answer to one of our questions; undefined where there is none that can be used. */
function answerTo(ctx, key) {
  const answer = ctx.mcpReq.inputResponses?.[key];
  return typeof answer === 'object' && answer !== null ? answer : undefined;
}

/** A tool that asks one thing, and says something about the answer. */
function asking(key, toQuestion, toText) {
  return (args, ctx) => {
    const answer = answerTo(ctx, key);
    if (answer === undefined) return inputRequired({ inputRequests: { [key]: toQuestion(args) } });
    return say(toText(answer));
  };
}

const BY_KIND = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const options = ['option1', 'option2', 'option3'];
const titled = ['value1', 'value2', 'value3'].map((value, index) => ({ const: value, title: `Title ${index + 1}` }));
const BY_CHOICE = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};

const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const outcome = ({ action, content }) => `Elicitation completed: action=${action}, content=${show(content)}`;
const askName = () => form('What is your name?', { name: { type: 'string' } });

/** Tools that only answer, by name. */
const PLAIN = {
  test_simple_text: () => say('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({ content: [embed('test://embedded-resource', 'text/plain', 'An embedded resource.')] }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Several types of content:' },
      image,
      embed('test://mixed-content-resource', 'application/json', show({ test: 'data', value: 123 })),
    ],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_logging: async (ctx) => {
    for (const step of ['started', 'processing data', 'completed']) {
      await ctx.mcpReq.log('info', `Tool execution: ${step}`);
      await wait(PAUSE_MS);
    }
    return say('Logged.');
  },
  test_logging_tool: async (ctx) => {
    await ctx.mcpReq.log('info', 'only for who asked for it');
    return say('Logged.');
  },
  test_tool_with_progress: async (ctx) => {
    const progressToken = ctx.mcpReq['_meta']?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await wait(PAUSE_MS);
    }
    return say('Done.');
  },
  // Answers late, and counts the calls that were cancelled before.
  test_slow: async (ctx) => {
    ctx.mcpReq.signal.addEventListener('abort', () => (cancelled += 1));
    await wait(SLOW_MS, undefined, { signal: ctx.mcpReq.signal });
    return say('At last.');
  },
  test_cancelled: () => say(String(cancelled)),
  // Ends the stream of the call before its answer, which the client then fetches by the id of the last event it has.
  test_reconnection: async (ctx) => {
    ctx.http?.closeSSE?.();
    await wait(5 * PAUSE_MS);
    return say('Fetched later.');
  },
  test_missing_capability: (ctx) => asking('answer', () => question('Which one?'), show)({}, ctx),
  test_streaming_elicitation: (ctx) => asking('answer', askName, show)({}, ctx),
  test_elicitation_sep1034_defaults: (ctx) => asking('answer', () => form('By kind', BY_KIND), outcome)({}, ctx),
  test_elicitation_sep1330_enums: (ctx) => asking('answer', () => form('By choice', BY_CHOICE), outcome)({}, ctx),
  test_input_required_result_elicitation: (ctx) => {
    return asking('user_name', askName, ({ content }) => `Hello, ${content?.name}!`)({}, ctx);
  },
  test_input_required_result_sampling: (ctx) => {
    return asking(
      'capital_question',
      () => question('What is the capital of France?'),
      ({ content }) => show(content),
    )({}, ctx);
  },
  test_input_required_result_list_roots: (ctx) => {
    return asking(
      'client_roots',
      () => inputRequired.listRoots(),
      ({ roots }) => show(roots),
    )({}, ctx);
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: async (ctx) => {
    const inputRequests = {
      user_name: askName(),
      greeting: question('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    };
    const answers = Object.keys(inputRequests).map((key) => answerTo(ctx, key));
    if (!answers.includes(undefined) && ctx.mcpReq.requestState() === 'three') return say(show(answers));
    return inputRequired({ inputRequests, requestState: await state.mint('three') });
  },
  test_input_required_result_multi_round: async (ctx) => {
    const round = ctx.mcpReq.requestState() ?? 0;
    if (round === 2 && answerTo(ctx, 'step2') !== undefined) return say('Both steps are done.');
    const isSecond = round >= 1 && (round === 2 || answerTo(ctx, 'step1') !== undefined);
    const inputRequests = isSecond
      ? { step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }) }
      : { step1: form('Step 1: What is your name?', { name: { type: 'string' } }) };
    return inputRequired({ inputRequests, requestState: await state.mint(isSecond ? 2 : 1) });
  },
  test_input_required_result_capabilities: (ctx) => {
    const can = ctx.mcpReq.envelope?.[CLIENT_CAPABILITIES] ?? {};
    const inputRequests = {
      ...(can.elicitation && { user_name: askName() }),
      ...(can.sampling && { greeting: question('Generate a greeting') }),
    };
    const isAnswered = Object.keys(inputRequests).every((key) => answerTo(ctx, key) !== undefined);
    return isAnswered ? say('Nothing is left to ask.') : inputRequired({ inputRequests });
  },
};

async function confirmed(ctx) {
  if (answerTo(ctx, 'confirm') !== undefined && ctx.mcpReq.requestState() === 'asked') return say('state-ok');
  const inputRequests = { confirm: form('Please confirm', { ok: { type: 'boolean' } }) };
  return inputRequired({ inputRequests, requestState: await state.mint('asked') });
}

function registerTools(server) {
  for (const [name, run] of Object.entries(PLAIN)) {
    server.registerTool(name, { description: `For the scenario about ${name}` }, async (ctx) => run(ctx));
  }
  const ask = (name, field, run) => {
    server.registerTool(name, { description: `Passes on its ${field}`, inputSchema: texts(field) }, async (args, ctx) =>
      run(args, ctx),
    );
  };
  ask(
    'test_sampling',
    'prompt',
    asking(
      'answer',
      ({ prompt }) => question(prompt),
      (answer) => `LLM response: ${show(answer.content)}`,
    ),
  );
  const fields = { username: { type: 'string', description: 'A name' }, email: { type: 'string', description: 'An address' } };
  ask(
    'test_elicitation',
    'message',
    asking(
      'answer',
      ({ message }) => form(message, fields),
      (answer) => `User response: ${show(answer)}`,
    ),
  );
  const schema = { description: 'Its schema has keywords of JSON Schema 2020-12', inputSchema: fromJsonSchema(SCHEMA_2020) };
  server.registerTool('json_schema_2020_12_tool', schema, async (args) => say(show(args)));
  for (const kind of ['Tool', 'Prompt']) {
    const description = `Says that the list of ${kind.toLowerCase()}s has changed`;
    server.registerTool(`test_trigger_${kind.toLowerCase()}_change`, { description }, async () => {
      server[`send${kind}ListChanged`]();
      return say('Said.');
    });
  }
}

function registerResources(server) {
  const add = (name, mimeType, body) => {
    const uri = `test://${name}`;
    const config = { description: `The resource ${name}`, mimeType };
    server.registerResource(name, uri, config, async () => ({ contents: [{ uri, mimeType, ...body }] }));
  };
  add('static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  add('static-binary', 'image/png', { blob: PNG });
  add('watched-resource', 'text/plain', { text: 'It does not change.' });
  add('example-resource', 'text/plain', { text: 'An example.' });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const config = { description: 'One for each id', mimeType: 'application/json' };
  server.registerResource('template', template, config, async (uri, { id }) => {
    const text = show({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
  });
  for (const method of ['resources/subscribe', 'resources/unsubscribe']) server.server.setRequestHandler(method, () => ({}));
}

function registerPrompts(server) {
  const add = (name, argsSchema, run) => {
    server.registerPrompt(name, { description: `The prompt ${name}`, ...(argsSchema && { argsSchema }) }, async (...given) =>
      run(...given),
    );
  };
  const text = (words) => asUser({ type: 'text', text: words });
  add('test_simple_prompt', undefined, () => ({ messages: [text('This is a simple prompt for testing.')] }));
  add('test_prompt_with_arguments', texts('arg1', 'arg2'), ({ arg1, arg2 }) => ({
    messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }));
  add('test_prompt_with_embedded_resource', texts('resourceUri'), ({ resourceUri }) => ({
    messages: [asUser(embed(resourceUri, 'text/plain', 'Embedded content.')), text('Please process the resource above.')],
  }));
  add('test_prompt_with_image', undefined, () => ({ messages: [asUser(image), text('Please look at the image above.')] }));
  add('test_input_required_result_prompt', undefined, (ctx) => {
    const answer = answerTo(ctx, 'user_context');
    if (answer !== undefined) return { messages: [text(`In this context: ${show(answer.content)}`)] };
    return inputRequired({ inputRequests: { user_context: form('In which context?', { context: { type: 'string' } }) } });
  });
  server.server.setRequestHandler('completion/complete', ({ params }) => {
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(params.argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

/** A server with all of them, for one connection or request. */
export function createFixture() {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: {
        completions: {},
        logging: {},
        prompts: { listChanged: true },
        resources: { subscribe: true },
        tools: { listChanged: true },
      },
      requestState: { verify: state.verify },
    },
  );
  registerTools(server);
  registerResources(server);
  registerPrompts(server);
  return server;
}

// Programs on the SDKs of LLM APIs that know nothing of clawai: each asks its model as the environment says where that is, has it run a tool,
// and prints a line of JSON with the commands that were run and what was said. Arguments: names of the programs.
const [, , ...names] = process.argv;
const SCHEMA = {
  type: 'object',
  properties: { command: { type: 'string' } },
  required: ['command'],
  additionalProperties: false,
};

async function byAiSdk(run, toModel) {
  const { jsonSchema, stepCountIs, streamText, tool } = await import('ai');
  const execute = async ({ command }) => run(command);
  const tools = { Bash: tool({ inputSchema: jsonSchema(SCHEMA), execute }) };
  const { text } = streamText({ model: await toModel(), prompt: 'go', tools, stopWhen: stepCountIs(1), maxRetries: 0 });
  return text;
}

const PROGRAMS = {
  'ai-sdk anthropic': (run) => byAiSdk(run, async () => (await import('@ai-sdk/anthropic')).anthropic('m')),
  'ai-sdk openai': (run) => byAiSdk(run, async () => (await import('@ai-sdk/openai')).openai.chat('m')),
  // The API that it uses where nothing is said.
  'ai-sdk responses': (run) => byAiSdk(run, async () => (await import('@ai-sdk/openai')).openai('m')),
  async 'sdk anthropic'(run) {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    const messages = [{ role: 'user', content: 'go' }];
    const { content } = await new Anthropic({ maxRetries: 0 }).messages
      .stream({ model: 'm', max_tokens: 9, messages })
      .finalMessage();
    for (const block of content) if (block.type === 'tool_use') run(block.input.command);
    return content.map(({ text }) => text ?? '').join('');
  },
  async 'sdk openai'(run) {
    const { default: OpenAI } = await import('openai');
    const messages = [{ role: 'user', content: 'go' }];
    const { choices } = await new OpenAI({ maxRetries: 0 }).chat.completions.create({ model: 'm', messages });
    for (const call of choices[0].message.tool_calls ?? []) run(JSON.parse(call.function.arguments).command);
    return choices[0].message.content;
  },
  async 'sdk gemini'(run) {
    const { GoogleGenAI } = await import('@google/genai');
    const answer = await new GoogleGenAI({}).models.generateContent({ model: 'm', contents: 'go' });
    for (const call of answer.functionCalls ?? []) run(call.args.command);
    return answer.text;
  },
};

for (const name of names) {
  const ran = [];
  const run = (command) => {
    ran.push(command);
    return 'ok';
  };
  const said = await PROGRAMS[name](run).catch((error) => `${error.name}: ${error.message}`);
  process.stdout.write(`${JSON.stringify({ name, ran, said })}\n`);
}

// An agent on OpenAI's Responses API that knows nothing of clawai: the environment says where its model is. It is asked twice, runs the tools
// that the model calls, and prints a line of JSON with the commands that were run and what was said in the end of each turn.
//   node openai-agent.mjs agents|ai-sdk [stream]
const [, , kit, isStream] = process.argv;
const SCHEMA = {
  type: 'object',
  properties: { command: { type: 'string' } },
  required: ['command'],
  additionalProperties: false,
};
const ran = [];
const execute = async ({ command }) => {
  ran.push(command);
  return 'ok';
};

async function withAgents() {
  const { Agent, run, setTracingDisabled, tool } = await import('@openai/agents');
  // Traces would go to OpenAI.
  setTracingDisabled(true);
  const bash = tool({ name: 'Bash', description: 'runs', parameters: SCHEMA, strict: true, execute });
  const agent = new Agent({ name: 'agent', model: 'm', tools: [bash] });
  let history = [];
  return async (content) => {
    const result = await run(agent, [...history, { role: 'user', content }], { stream: isStream !== undefined, maxTurns: 5 });
    await result.completed;
    history = result.history;
    return result.finalOutput;
  };
}

async function withAiSdk() {
  const { generateText, jsonSchema, stepCountIs, streamText, tool } = await import('ai');
  const { openai } = await import('@ai-sdk/openai');
  const tools = { Bash: tool({ inputSchema: jsonSchema(SCHEMA), execute }) };
  const messages = [];
  return async (content) => {
    messages.push({ role: 'user', content });
    const options = { model: openai('m'), messages, tools, stopWhen: stepCountIs(5), maxRetries: 0 };
    const result = isStream === undefined ? await generateText(options) : streamText(options);
    messages.push(...(await result.steps).flatMap((step) => step.response.messages));
    return result.text;
  };
}

const ask = await { agents: withAgents, 'ai-sdk': withAiSdk }[kit]();
const said = [];
for (const content of ['Do it.', 'And?']) said.push(await ask(content));
process.stdout.write(`${JSON.stringify({ ran, said })}\n`);

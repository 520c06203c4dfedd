// An agent: asks the model so many times, one after the other, and prints each answer as a line of JSON. Between them it waits for a line on
// its input. Arguments: sdk | openai | fetch, and how often. Where it uses `fetch`, what comes is printed as it comes.
import { createInterface } from 'node:readline';

const [, , by = 'sdk', times = '1'] = process.argv;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const request = { model: 'some-model', max_tokens: 100, messages: [{ role: 'user', content: 'Do it.' }] };
const apiKey = 'sk-ant-api03-key-of-the-user';

async function askBySdk() {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({ apiKey, maxRetries: 0 });
  try {
    const { content, stop_reason: reason } = await client.messages.stream(request).finalMessage();
    process.stdout.write(`${JSON.stringify({ content, reason })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: error.constructor.name, status: error.status, message: error.message })}\n`);
  }
}

async function askByOpenai() {
  const { default: OpenAI } = await import('openai');
  const client = new OpenAI({ maxRetries: 0 });
  const { messages } = request;
  try {
    const { choices } = await client.chat.completions.stream({ model: 'some-model', messages }).finalChatCompletion();
    const [{ message, finish_reason: reason }] = choices;
    process.stdout.write(`${JSON.stringify({ content: message.content, calls: message.tool_calls ?? [], reason })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: error.constructor.name, status: error.status, message: error.message })}\n`);
  }
}

const ASKERS = { sdk: askBySdk, openai: askByOpenai, fetch: askByFetch };

async function askByFetch() {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...request, stream: true });
  const answer = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages?beta=true`, { method: 'POST', headers, body });
  for await (const chunk of answer.body) process.stdout.write(chunk);
}

for (let time = 0; time < Number(times); time++) {
  if (time > 0) await lines.next();
  await ASKERS[by]();
}
process.exit(5);

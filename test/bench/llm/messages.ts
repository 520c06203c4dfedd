import { type Address, FIRST_ID, type Template } from '../http/messages.ts';

/** What the answer to a request is to be; upstream.mjs says what the words mean. */
export interface Plan {
  readonly plan: 'gemini-events' | 'gemini-calls' | 'events' | 'tokens' | 'paced' | 'calls' | 'big' | 'open' | 'whole';
  readonly count?: number;
  readonly together?: number;
  readonly pace?: number;
  readonly size?: number;
  readonly command?: string;
}

const SCHEMA = { type: 'object', properties: { command: { type: 'string' }, input: { type: 'string' } } };
const FILE_SCHEMA = { type: 'object', properties: { file_path: { type: 'string' }, content: { type: 'string' } } };
/** Words of a conversation: a turn of an agent has tens of kilobytes of them. */
const WORDS = 'The nightly build is green, and the last run took a little less than the one before it. '.repeat(200);

/** What is a secret wherever it stands; a plan of tokens says it again and again. */
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

/** A request for an answer by this plan. @param endpoint path behind the base URL, where the plan is of no API of its own */
export function ask({ port, path }: Address, plan: Plan, endpoint = '/v1/messages'): Template {
  const isGemini = plan.plan.startsWith('gemini-');
  const functions = [
    { name: 'Bash', description: 'Runs a command.', parameters: SCHEMA },
    { name: 'Write', description: 'Writes a file.', parameters: FILE_SCHEMA },
  ];
  const geminiBody = { contents: [{ role: 'user', parts: [{ text: WORDS }] }], tools: [{ functionDeclarations: functions }] };
  const messagesBody = {
    model: 'bench',
    max_tokens: 4096,
    stream: plan.plan !== 'whole',
    tools: [
      { name: 'Bash', description: 'Runs a command.', input_schema: SCHEMA },
      { name: 'Write', description: 'Writes a file.', input_schema: FILE_SCHEMA },
    ],
    messages: [{ role: 'user', content: plan.plan === 'tokens' ? `${WORDS} ${SECRET}` : WORDS }],
  };
  const body = JSON.stringify(isGemini ? geminiBody : messagesBody);
  const where = isGemini ? '/v1beta/models/bench:streamGenerateContent?alt=sse' : endpoint;
  const orders = Object.entries(plan).map(([name, value]) => `x-bench-${name}: ${String(value)}\r\n`);
  return {
    before:
      `POST ${path}${where} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nuser-agent: bench\r\ncontent-type: application/json\r\n` +
      `accept: application/json\r\nanthropic-version: 2023-06-01\r\nx-api-key: none\r\n${orders.join('')}x-bench-id: `,
    after: `\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  };
}

/** The same as bytes. */
export function toBytes({ before, after }: Template): string {
  return `${before}${FIRST_ID}${after}`;
}

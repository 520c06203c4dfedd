import { join } from 'node:path';

/** An API that is measured. */
export interface Wire {
  readonly dialect: 'anthropic' | 'openai';
  /** How rows name it. */
  readonly name: string;
  /** The script that stands in for it. */
  readonly script: string;
  /** Path behind the base URL. */
  readonly endpoint: string;
  /** In the last event of a stream, and in no other. */
  readonly last: RegExp;
  /** How the event goes on that ends the call with this number. */
  readonly callEnd: (call: number) => string;
}

export const MESSAGES_WIRE: Wire = {
  dialect: 'anthropic',
  name: 'Messages',
  script: join(import.meta.dirname, 'upstream.mjs'),
  endpoint: '/v1/messages',
  // Of either API that it speaks.
  last: /"message_stop"|"finishReason":/,
  callEnd: (call) => `{"type":"content_block_stop","index":${2 + 2 * call}}`,
};

/** Each call is the only one of a choice, since calls end with their choice. */
export const CHAT_WIRE: Wire = {
  dialect: 'openai',
  name: 'Chat Completions',
  script: join(import.meta.dirname, 'chat-upstream.mjs'),
  endpoint: '/chat/completions',
  last: /\[DONE\]/,
  callEnd: (call) => `{"index":${call},"delta":{},"finish_reason":"`,
};

/** Its events have numbers; that of a call's end is a multiple of a thousand. */
export const RESPONSES_WIRE: Wire = {
  dialect: 'openai',
  name: 'Responses',
  script: join(import.meta.dirname, 'responses-upstream.mjs'),
  endpoint: '/responses',
  last: /"response\.completed"/,
  callEnd: (call) => `{"type":"response.output_item.done","sequence_number":${1000 * (call + 1)},`,
};

import type { ServerResponse } from 'node:http';
import { sendWhole } from './send-whole.ts';

/** Sends a JSON text of our own. */
export function sendJson(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  sendWhole(response, { status, headers: ['content-type', 'application/json', 'content-length', String(body.length)], body });
}

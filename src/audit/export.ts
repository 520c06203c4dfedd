import type { ChainCheckpoint, ChainedEvent } from './verify.ts';
import { parseBody } from './event-columns.ts';

/**
 * Formats one event as a line of an export, with its line feed. The body is the last field, exactly as it was recorded, so that its hash
 * can be computed from the line. A body that is not a JSON object on one line goes into `body` as text; `event` is then null, as it is for
 * an erased body.
 *
 * @param writer name of the process that recorded it; null if unknown
 */
export function formatExportedEvent(event: ChainedEvent, writer: string | null): string {
  const { seq, n, body } = event;
  const chain = { writer, n, seq, hash: toHex(event.hash), body_hash: toHex(event.body_hash) };
  if (body === null) return `${JSON.stringify({ ...chain, event: null })}\n`;
  if (/[\r\n]/.test(body) || parseBody(body) === undefined) return `${JSON.stringify({ ...chain, event: null, body })}\n`;
  return `${JSON.stringify(chain).slice(0, -1)},"event":${body}}\n`;
}

/** Formats the point from which a writer's chain goes on in an export, since the events before it were erased. */
export function formatExportedCheckpoint({ n, hash }: ChainCheckpoint, writer: string | null): string {
  return `${JSON.stringify({ writer, checkpoint: { n, hash: toHex(hash) } })}\n`;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

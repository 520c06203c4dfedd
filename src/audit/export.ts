import type { ChainCheckpoint, ChainedEvent } from './verify.ts';
import { parseBody } from './event-columns.ts';

/**
 * One event as a line of an export, with its line feed. The body is the last field and stands there exactly as it was recorded, so that
 * its hash can be computed from the line. One that no longer is an object on one line goes, as text, into `body` instead; `event` is
 * null then, as it is where the body was erased.
 *
 * @param writer name of the process that recorded it; null where it is not known
 */
export function formatExportedEvent(event: ChainedEvent, writer: string | null): string {
  const { seq, n, body } = event;
  const chain = { writer, n, seq, hash: toHex(event.hash), body_hash: toHex(event.body_hash) };
  if (body === null) return `${JSON.stringify({ ...chain, event: null })}\n`;
  if (/[\r\n]/.test(body) || parseBody(body) === undefined) return `${JSON.stringify({ ...chain, event: null, body })}\n`;
  return `${JSON.stringify(chain).slice(0, -1)},"event":${body}}\n`;
}

/** Where a writer's chain begins in an export, since what came before was erased. */
export function formatExportedCheckpoint({ n, hash }: ChainCheckpoint, writer: string | null): string {
  return `${JSON.stringify({ writer, checkpoint: { n, hash: toHex(hash) } })}\n`;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

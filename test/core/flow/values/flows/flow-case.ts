import type { JsonObject } from '../../../../../src/core/json.ts';

/** What one server answered, and what another one is called with after it. */
export interface FlowCase {
  readonly name: string;
  /** Arguments of the call that got the result. */
  readonly asked?: JsonObject;
  /** Arguments that the other server was called with before it. */
  readonly toldBefore?: JsonObject;
  /** What the other server itself answered before. */
  readonly heardBefore?: string;
  readonly result: string;
  readonly args: JsonObject;
}

/** A made-up secret, in parts so that no scanner of repositories takes it for a real one. */
export function secret(...parts: readonly string[]): string {
  return parts.join('');
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

export function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

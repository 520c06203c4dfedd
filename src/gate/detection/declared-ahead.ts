import { instructionsDefinition } from '../../core/registry/fingerprint.ts';
import { readListing } from '../../core/registry/read-listing.ts';
import type { Message } from '../../protocol/message.ts';
import type { Declaring } from '../list-methods.ts';
import { digestOf, readList, readObject } from '../message-parts.ts';
import type { DefinitionLooks } from './definition-looks.ts';

/** Was everything looked at that an answer declares and that may not be shown before? If not, that is begun. */
export function isDeclaredLooked(
  looks: Pick<DefinitionLooks, 'holds' | 'isLooked'>,
  message: Message,
  declaring: Declaring,
): boolean {
  const { bytes, result: span } = message;
  if (!looks.holds || span === undefined) return true;
  if (declaring === 'greeting') {
    const text = readObject(message, span)?.['instructions'];
    if (typeof text !== 'string' || text === '') return true;
    return looks.isLooked(`greeting ${digestOf(bytes, span)}`, () => [instructionsDefinition(text)]);
  }
  const { kind } = declaring;
  const copy = Buffer.from(bytes.subarray(span.start, span.end));
  return looks.isLooked(`${kind} ${digestOf(bytes, span)}`, () => {
    const result = readList(copy, 0, copy.length);
    return result === undefined ? [] : readListing(kind, result).definitions;
  });
}

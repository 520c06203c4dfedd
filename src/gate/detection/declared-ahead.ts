import { instructionsDefinition } from '../../core/registry/fingerprint.ts';
import type { Message } from '../../protocol/message.ts';
import type { Declaring } from '../list-methods.ts';
import { digestOf, readObject } from '../message-parts.ts';
import type { DefinitionLooks } from './definition-looks.ts';

/** By which an answer that declares something is known again. @param digest of its result */
export function declaredKey(declaring: Declaring, digest: string): string {
  return `${declaring === 'greeting' ? declaring : declaring.kind} ${digest}`;
}

/** Was everything looked at that an answer declares and that may not be shown before? If not, that is begun. */
export function isDeclaredLooked(
  looks: Pick<DefinitionLooks, 'holds' | 'isLooked' | 'lists' | 'prepare'>,
  message: Message,
  declaring: Declaring,
): boolean {
  const { bytes, result: span } = message;
  if (!looks.holds || span === undefined) return true;
  if (declaring === 'greeting') {
    looks.prepare();
    const text = readObject(message, span)?.['instructions'];
    if (typeof text !== 'string' || text === '') return true;
    return looks.isLooked(declaredKey(declaring, digestOf(bytes, span)), () => ({
      definitions: [instructionsDefinition(text)],
      isWhole: true,
    }));
  }
  const copy = Buffer.from(bytes.subarray(span.start, span.end));
  const digest = digestOf(bytes, span);
  return looks.isLooked(declaredKey(declaring, digest), () => {
    const { definitions = [], unusable } = looks.lists.read(declaring, digest, copy)?.listing ?? {};
    return { definitions, isWhole: unusable?.length === 0 };
  });
}

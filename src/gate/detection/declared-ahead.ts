import type { JsonObject, JsonValue } from '../../core/json.ts';
import { definitionName, instructionsDefinition } from '../../core/registry/fingerprint.ts';
import { MOST_NAME } from '../../core/registry/read-listing.ts';
import type { Message } from '../../protocol/message.ts';
import type { Declaring, ListMethod } from '../messages/list-methods.ts';
import { digestOf, readObject } from '../messages/message-parts.ts';
import type { DefinitionScans } from './definition-scans.ts';

/** The key of an answer with declarations. @param digest of its result */
export function declaredKey(declaring: Declaring, digest: string): string {
  return `${declaring === 'greeting' ? declaring : declaring.kind} ${digest}`;
}

/** How much of an answer was scanned: `part` of it, or `all`; `not_yet` while it may not be shown. */
export type ScanState = 'not_yet' | 'part' | 'all';

/** Tells whether all declarations of an answer were scanned that may not be shown before; starts scanning if not. */
export function scanDeclared(
  scans: Pick<DefinitionScans, 'holds' | 'isAll' | 'isScanned' | 'lists'>,
  message: Message,
  declaring: Declaring,
): ScanState {
  const { bytes, result: span } = message;
  if (!scans.holds || span === undefined) return 'part';
  if (declaring === 'greeting') {
    const text = readObject(message, span)?.['instructions'];
    if (typeof text !== 'string' || text === '') return 'part';
    const declared = { definitions: [instructionsDefinition(text)], isWhole: true, isAll: false };
    return scans.isScanned(declaredKey(declaring, digestOf(bytes, span)), () => declared) ? 'part' : 'not_yet';
  }
  const copy = Buffer.from(bytes.subarray(span.start, span.end));
  const digest = digestOf(bytes, span);
  const key = declaredKey(declaring, digest);
  const isScanned = scans.isScanned(key, () => {
    const page = scans.lists.read(declaring, digest, copy);
    const { definitions = [], unusable } = page?.listing ?? {};
    return {
      definitions,
      isWhole: unusable?.length === 0,
      isAll: page !== undefined && hasOnlyDefinitions(page.result, declaring),
    };
  });
  if (!isScanned) return 'not_yet';
  return scans.isAll(key) ? 'all' : 'part';
}

/** Tells whether a list contains only elements that are known by a name. */
function hasOnlyDefinitions(result: JsonObject, { kind, member }: ListMethod): boolean {
  const list = result[member];
  if (Object.keys(result).length !== 1 || !Array.isArray(list)) return false;
  return (list as readonly JsonValue[]).every((element) => (definitionName(kind, element)?.length ?? MOST_NAME + 1) <= MOST_NAME);
}

import type { JsonScanner } from '../json-scanner.ts';
import { readMessage } from '../jsonrpc.ts';
import { CLIENT_INFO_KEY } from '../mcp/methods.ts';
import type { Message } from '../message.ts';
import { LegacyClient, modernMeta } from './legacy-client.ts';
import { ModernClient } from './modern-client.ts';
import {
  CAPABILITIES_KEY,
  isObject,
  type Json,
  LEGACY_REVISION,
  MODERN_REVISION,
  readPart,
  requestLine,
  type Sent,
  type Translation,
} from './translation.ts';

/** A server's first answer in the era that its client does not speak. */
export type Met =
  | { readonly kind: 'translated'; readonly translation: Translation; readonly sent: readonly Sent[] }
  /** It speaks no era that can be translated; `why` if it speaks one at all. */
  | { readonly kind: 'refused'; readonly why?: string };

/** How a client and a server of different eras get together. */
export interface Meeting {
  /** Asks the server whether it speaks the other era. @param id as JSON text */
  question(id: string): Buffer;
  /** Takes its answer. */
  answered(message: Message): Met;
}

/**
 * Begins to translate for a client.
 *
 * @param greeting the client's first request, which the server has refused
 * @param newId returns an id that nobody else has, as JSON text
 */
export function meet(scanner: JsonScanner, greeting: Buffer, newId: () => string): Meeting {
  const { method, params } = readMessage(scanner, greeting, 0, greeting.length);
  const given = readPart(greeting, params);
  return method === 'initialize' ? meetModern(scanner, greeting, given, newId) : meetLegacy(scanner, greeting, given, newId);
}

function meetModern(scanner: JsonScanner, greeting: Buffer, given: Json, newId: () => string): Meeting {
  return {
    question: (id) => requestLine('server/discover', `{"_meta":{${modernMeta(given)}}}`, id),
    answered({ bytes, result }) {
      const discovered = readPart(bytes, result);
      const { supportedVersions: versions } = discovered;
      if (!Array.isArray(versions)) return { kind: 'refused' };
      if (!versions.includes(MODERN_REVISION)) {
        const named = versions.filter((version) => typeof version === 'string').join(', ');
        return {
          kind: 'refused',
          why: `it speaks MCP ${named}, from which clawai can't translate: a newer client or clawai may`,
        };
      }
      const translation = new LegacyClient(scanner, { line: greeting, discovered }, newId);
      return { kind: 'translated', translation, sent: translation.fromClient(greeting) };
    },
  };
}

function meetLegacy(scanner: JsonScanner, greeting: Buffer, given: Json, newId: () => string): Meeting {
  const meta = isObject(given['_meta']) ? given['_meta'] : {};
  const [capabilities, clientInfo] = [meta[CAPABILITIES_KEY], meta[CLIENT_INFO_KEY]];
  return {
    question: (id) =>
      requestLine(
        'initialize',
        {
          protocolVersion: LEGACY_REVISION,
          capabilities: isObject(capabilities) ? capabilities : {},
          clientInfo: isObject(clientInfo) ? clientInfo : { name: 'unknown', version: '0' },
        },
        id,
      ),
    answered({ bytes, result }) {
      const initialized = readPart(bytes, result);
      if (typeof initialized['protocolVersion'] !== 'string') return { kind: 'refused' };
      const translation = new ModernClient(scanner, initialized, newId);
      const noted = requestLine('notifications/initialized', undefined);
      return { kind: 'translated', translation, sent: [{ to: 'server', line: noted }, ...translation.fromClient(greeting)] };
    },
  };
}

import type { JsonScanner } from '../json-scanner.ts';
import { readLine } from '../jsonrpc.ts';
import { CLIENT_INFO_KEY, hasNoHandshake, LEGACY_REVISION, MODERN_REVISION } from '../mcp/methods.ts';
import type { Message } from '../message.ts';
import { LegacyClient, modernMeta } from './legacy-client.ts';
import { ModernClient } from './modern-client.ts';
import { CAPABILITIES_KEY, isObject, type Json, readPart, requestLine, type Sent, type Translation } from './translation.ts';

/** The meaning of a server's answer to our question. */
export type Met =
  /** `sent` goes out first. */
  | { readonly kind: 'translated'; readonly translation: Translation; readonly sent: readonly Sent[] }
  /** The server speaks the client's era. */
  | { readonly kind: 'alike' }
  /** The server's words are the last ones; `why` if it speaks an era that is unknown here. */
  | { readonly kind: 'refused'; readonly why?: string };

/** A question to a server, by which it shows its era. */
export interface Meeting {
  /** @param id as JSON text */
  question(id: string): Buffer;
  /** Takes the answer, or the next question. @param message undefined if none came in time */
  answered(message: Message | undefined): Met | Meeting;
}

/**
 * Begins to find out what a server speaks.
 *
 * @param greeting the client's first request: an `initialize` that the server has refused, or any request of the modern era
 * @param newId returns an id that nobody else has, as JSON text
 */
export function meet(scanner: JsonScanner, greeting: Buffer, newId: () => string): Meeting {
  const { method, params } = readLine(scanner, greeting);
  const given = readPart(greeting, params);
  return method === 'initialize' ? meetModern(scanner, greeting, given, newId) : meetAny(scanner, given, newId);
}

function meetModern(scanner: JsonScanner, greeting: Buffer, given: Json, newId: () => string): Meeting {
  return {
    question: (id) => requestLine('server/discover', `{"_meta":{${modernMeta(given)}}}`, id),
    answered(message) {
      const discovered = message === undefined ? {} : readPart(message.bytes, message.result);
      const { supportedVersions: versions } = discovered;
      if (!Array.isArray(versions)) {
        return message?.result === undefined
          ? { kind: 'refused' }
          : { kind: 'refused', why: 'it answers server/discover with something else' };
      }
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

/** Asks a server whether it speaks the modern era, as its client does, and if not, whether it speaks the legacy one. */
function meetAny(scanner: JsonScanner, given: Json, newId: () => string): Meeting {
  const meta = isObject(given['_meta']) ? given['_meta'] : {};
  return {
    question: (id) => requestLine('server/discover', { _meta: meta }, id),
    answered: (message) => (message?.result === undefined ? meetLegacy(scanner, meta, newId) : { kind: 'alike' }),
  };
}

function meetLegacy(scanner: JsonScanner, meta: Json, newId: () => string): Meeting {
  const [capabilities, clientInfo] = [meta[CAPABILITIES_KEY], meta[CLIENT_INFO_KEY]];
  const params = {
    protocolVersion: LEGACY_REVISION,
    capabilities: isObject(capabilities) ? capabilities : {},
    clientInfo: isObject(clientInfo) ? clientInfo : { name: 'unknown', version: '0' },
  };
  return {
    question: (id) => requestLine('initialize', params, id),
    answered(message) {
      const initialized = message === undefined ? {} : readPart(message.bytes, message.result);
      const { protocolVersion: revision } = initialized;
      if (typeof revision !== 'string') return { kind: 'refused' };
      if (hasNoHandshake(revision)) {
        return { kind: 'refused', why: `it answers initialize with MCP ${revision.slice(0, 32)}, which has no sessions` };
      }
      const translation = new ModernClient(scanner, initialized, newId);
      const noted = requestLine('notifications/initialized', undefined);
      return { kind: 'translated', translation, sent: [{ to: 'server', line: noted }] };
    },
  };
}

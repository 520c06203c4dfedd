import type { Call } from '../core/call.ts';
import { exactJson } from '../core/canonical-json.ts';
import type { Finding } from '../core/decision.ts';
import { createDetector } from '../core/detect/create-detector.ts';
import type { DetectionFacts } from '../core/detect/facts.ts';
import {
  SEVERITIES,
  type Detector,
  type ServerContext,
  type TextOrigin,
  type Detection,
  type TextField,
} from '../core/detect/types.ts';
import { isJsonObject, type JsonValue, parseJson } from '../core/json.ts';
import type { CompiledPolicy } from '../core/policy/compile.ts';
import type { OnText } from '../core/policy/types.ts';
import { toFindings } from '../gate/detection/findings.ts';
import { partOfMessage } from '../gate/detection/message-part.ts';
import { Redaction } from '../gate/detection/redaction.ts';
import { spannedTexts } from '../gate/detection/spanned-texts.ts';
import { textAction } from '../gate/detection/text-action.ts';
import { toServerCall } from '../gate/server-methods.ts';
import { JsonScanner } from '../protocol/json-scanner.ts';
import { readMessage } from '../protocol/jsonrpc.ts';
import { findTexts } from './inspect/text-fields.ts';

/** What a fixture says of what detection finds in what a call is about. */
export interface FixtureFindings {
  /** Found in its definition, and in what its server says of itself. */
  readonly findings: readonly Finding[];
  readonly ofServer: readonly Finding[];
  /** The definition itself, which is looked at. */
  readonly definition: JsonValue | undefined;
  /** A person has approved it as it is. */
  readonly isApproved: boolean;
}

/** What becomes of a result: `pass` where nothing was found in it. */
export const RESULT_OUTCOMES = ['pass', 'alert', 'redact', 'deny'] as const satisfies readonly (OnText | 'pass')[];
export type ResultOutcome = (typeof RESULT_OUTCOMES)[number];

/** What becomes of what a server asks for. */
export interface RequestOutcome {
  readonly outcome: ResultOutcome;
  readonly found: readonly Finding[];
  /** What goes on to be decided: what is left of it. */
  readonly call: Call;
}

/** Where results come from. */
const ORIGINS: Readonly<Record<string, TextOrigin>> = { 'resources/read': 'resource', 'prompts/get': 'prompt' };

/** Looks at what fixtures hold, by the rules of their policy. */
export class FixtureDetection {
  readonly #policy: CompiledPolicy;
  #made: Detector | undefined;

  constructor(policy: CompiledPolicy) {
    this.#policy = policy;
  }

  /** What a decision is to know; undefined where the fixture says nothing of it. */
  facts(call: Call, given: FixtureFindings | undefined, context: ServerContext): DetectionFacts | undefined {
    if (given === undefined || !this.#policy.policy.detection.enabled) return undefined;
    const { findings, ofServer, definition, isApproved } = given;
    const name = call.tool ?? call.resource ?? call.prompt ?? '';
    const kind = call.resource !== undefined ? 'resource' : call.prompt !== undefined ? 'prompt' : 'tool';
    const found = definition === undefined ? [] : this.#detector.definitions([{ kind, name, value: definition }], context);
    const all = [...findings, ...found.flatMap(({ detections }) => detections)];
    return { findings: this.#counting(all, call), ofServer: this.#counting(ofServer, { server: call.server }), isApproved };
  }

  /** What becomes of what a server answers. */
  outcomeOf(call: Call, result: JsonValue): ResultOutcome {
    const { detection } = this.#policy.policy;
    if (!detection.enabled) return 'pass';
    const origin = ORIGINS[call.method] ?? 'result';
    const { detections } = this.#detector.texts(origin, findTexts(result).fields);
    // It asks for something first, and is read as an answer by clients that know nothing of that.
    const isBoth = isJsonObject(result) && result['inputRequests'] !== undefined;
    return this.#counting(detections, call).length === 0 ? 'pass' : textAction(detection, { origin, isBoth });
  }

  /** What becomes of what a server asks for, before anything else is decided about it; undefined of other calls. */
  requestOf(call: Call): RequestOutcome | undefined {
    if (!isRequestOfServer(call)) return undefined;
    const { detection } = this.#policy.policy;
    const find: Parameters<typeof lookAtRequest>[1] = (origin, texts) =>
      this.#counting(this.#detector.texts(origin, texts).detections, { server: call.server });
    const looked = detection.enabled ? lookAtRequest(call, find) : undefined;
    if (looked === undefined) return { outcome: 'pass', found: [], call };
    const outcome = textAction(detection, { origin: 'elicitation', isBoth: false });
    const rest = outcome === 'redact' ? looked.redacted() : call;
    // What can't be redacted is kept back.
    return { outcome: rest === undefined ? 'deny' : outcome, found: toFindings(looked.found), call: rest ?? call };
  }

  /** What is at or above the threshold, and not suppressed. */
  #counting<Found extends Finding>(
    findings: readonly Found[],
    { server, tool }: Pick<Call, 'server'> & { readonly tool?: string | undefined },
  ): readonly Found[] {
    const least = SEVERITIES.indexOf(this.#policy.policy.detection.threshold);
    return findings.filter(
      ({ rule, severity }) =>
        SEVERITIES.indexOf(severity) >= least && this.#policy.suppressionOf(rule, { server, tool }) === undefined,
    );
  }

  get #detector(): Detector {
    this.#made ??= createDetector(this.#policy.policy.detection.rules);
    return this.#made;
  }
}

/** What servers ask for themselves: their params are the arguments. */
export const REQUESTS_OF_SERVERS = ['sampling/createMessage', 'elicitation/create', 'roots/list'] as const;

/** More than any fixture has. */
const MOST = { characters: 4 * 1024 * 1024, texts: 50_000 } as const;

/** How often sentences are left out, and then whole texts, as the gate does before it gives up. */
const SENTENCE_ROUNDS = 3;
const ROUNDS = 5;

/** Of what is in texts, what counts. */
type Find = (origin: TextOrigin, texts: readonly TextField[]) => readonly Detection[];

/** A request of a server's in which something was found. */
export interface FoundInRequest {
  readonly found: readonly Detection[];
  /** The same request without that; undefined where something is still found in what is left. */
  readonly redacted: () => Call | undefined;
}

/** Is a call one that a server asks for? */
export function isRequestOfServer({ method }: Pick<Call, 'method'>): boolean {
  return REQUESTS_OF_SERVERS.some((known) => known === method);
}

/** Looks through what a server asks of the model or the user, as the gate does. Undefined where nothing is found. */
export function lookAtRequest(call: Call, find: Find): FoundInRequest | undefined {
  const { method, args } = call;
  if (args === undefined) return undefined;
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${exactJson(args)}}`);
  const message = readMessage(new JsonScanner(), bytes, 0, bytes.length);
  const part = partOfMessage(message);
  if (part === undefined) return undefined;
  const { texts } = spannedTexts(bytes, part.span, { ...part, most: MOST });
  const found = find(part.origin, texts);
  if (found.length === 0) return undefined;
  return {
    found,
    redacted() {
      const redaction = new Redaction(texts);
      let left = found;
      for (let round = 0; round < ROUNDS && left.length > 0; round++) {
        redaction.cut(left, round >= SENTENCE_ROUNDS);
        left = find(part.origin, redaction.rest());
      }
      const line = left.length > 0 ? undefined : parseJson(redaction.toLine(message));
      return isJsonObject(line) ? toServerCall(call.server, method, line['params']) : undefined;
    },
  };
}

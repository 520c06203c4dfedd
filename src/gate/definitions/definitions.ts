import { setTimeout } from 'node:timers/promises';
import type { Call } from '../../core/call.ts';
import type { ServerChange } from '../../core/finding.ts';
import type { Definition, DefinitionKind } from '../../core/registry/definition.ts';
import type { RegistryFacts } from '../../core/facts.ts';
import { combineDefinitions, instructionsDefinition } from '../../core/registry/fingerprint.ts';
import { pinStatus } from '../../core/registry/trust.ts';
import type { JsonScanner } from '../../protocol/json-scanner.ts';
import { INTERNAL_ERROR } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import { errorLine } from '../calls/reply.ts';
import { declaredKey } from '../detection/declared-ahead.ts';
import type { DefinitionScans } from '../detection/definition-scans.ts';
import type { AskedList } from '../messages/list-methods.ts';
import { digestOf, isText, readObject } from '../messages/message-parts.ts';
import { idOf, type PendingRequest } from '../messages/pending.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { Recorder, Transaction } from '../recorder.ts';
import type { SessionView } from '../session/session-view.ts';
import { BUSY, FORWARD, type Verdict } from '../verdict.ts';
import type { HiddenWatch } from './hidden-watch.ts';
import { hideElements, hideInstructions } from './hide-definitions.ts';
import { ListComparison } from './list-comparison.ts';
import { isClearPage } from './list-pages.ts';
import type { ServerLaunch } from './server-launch.ts';
import { type WaitingPage, WaitingPages } from './waiting-pages.ts';

/** Milliseconds that a list of a megabyte takes to be written out; comparing it sooner would hold it up. */
const SENT_AFTER = 15;
/** Places whose lists are known to have nothing to hide. */
const MOST_KNOWN = 64;

const UNREADABLE = 'clawai cannot compare it with what is trusted';
const UNSCANNED = 'clawai cannot scan it';

/** Declarations compared in one transaction, which are compared again if it is lost. */
interface Compared {
  readonly within: Readonly<Transaction>;
  readonly pages: WaitingPage[];
  readonly instructions: Definition | undefined;
}

/** The parts of the connection that are used here. */
export interface Declarer {
  readonly setup: GateSetup;
  readonly recorder: Recorder;
  readonly scanner: JsonScanner;
  readonly session: Pick<SessionView, 'hasToKnow' | 'hasToMeet' | 'join'>;
  readonly scans: DefinitionScans;
  readonly hidden: HiddenWatch;
  readonly launch: ServerLaunch;
  readonly client: string;
  findResultProblem(message: Message): string | undefined;
  /** Queues a whole answer to be scanned. */
  noteWhole(message: Message, pending: PendingRequest): void;
  noteRefusal(from: 'server', message: Message, problem: string): void;
}

/**
 * Compares the declarations of one connection's server with what is trusted. A list from which nothing has to be hidden goes on at once and
 * is compared right after; nothing is decided before that is done.
 */
export class Definitions {
  readonly #connection: Declarer;
  readonly #lists: ListComparison;
  /** Instructions that arrived before they could be recorded; undefined if there are none, or they are recorded. */
  #instructions: Definition | undefined;
  /** True if the server gave instructions on this connection; undefined before its greeting, when its last ones count. */
  #hasInstructed: boolean | undefined;
  readonly #waiting = new WaitingPages();
  /** The last compared declarations, until they are known to be on record. */
  #compared: Compared | undefined;
  /** Digests of this connection's pages in which nothing was found, by their places. */
  readonly #known = new Map<string, string>();
  #introduced: { readonly within: Readonly<Transaction>; readonly to: object } | undefined;
  #work: Promise<void> | undefined;

  constructor(connection: Declarer) {
    this.#connection = connection;
    this.#lists = new ListComparison(connection.setup, connection.launch);
  }

  /** True if answers have to be compared or scanned before they go on, since nothing untrusted is shown. */
  get holds(): boolean {
    return this.#hidesUntrusted || this.#connection.scans.holds;
  }

  get #hidesUntrusted(): boolean {
    const { isObserving, policy } = this.#connection.setup;
    const { enabled, onChange } = policy.current().policy.pinning;
    return enabled && onChange === 'hide' && !isObserving;
  }

  /** Handles the answer to a list request before it is delivered: `replace` if it can't go on as it is. */
  listed(message: Message, pending: PendingRequest, list: AskedList): Verdict {
    const { scans, recorder, scanner, session, setup } = this.#connection;
    const span = message.result;
    if (span === undefined) return FORWARD;
    const digest = digestOf(message.bytes, span);
    const place = `${list.kind} ${list.cursor ?? '?'}`;
    const isKnown = this.#known.get(place) === digest;
    const bytes = Buffer.from(message.bytes.subarray(span.start, span.end));
    const page = { ...list, digest, place, size: bytes.length, read: () => scans.lists.read(list, digest, bytes) };
    const problem = scans.isBlind ? UNSCANNED : isKnown ? undefined : this.#problemOf(message, page);
    if (problem !== undefined) return this.#refuse(message, pending, problem);
    if (this.#mayGoOn(page) && this.#waiting.hasRoom(page)) {
      const isNews = session.hasToKnow(isKnown);
      if (isNews && !recorder.open()) return BUSY;
      this.#waiting.add(page);
      if (isNews) recorder.within(() => this.#compareWaiting());
      this.#compareSoon();
      return FORWARD;
    }
    if (!recorder.open()) return BUSY;
    const compared = recorder.within(() => {
      this.#compareWaiting();
      return { hidden: this.#compare(page) };
    });
    if (!this.#isStrict || setup.isObserving || (compared === undefined && setup.onError === 'allow')) return FORWARD;
    const hidden = compared?.hidden;
    if (hidden === undefined) return this.#refuse(message, pending, UNREADABLE);
    if (hidden.size === 0) return FORWARD;
    recorder.within(() => this.#connection.hidden.note(list.kind));
    return { kind: 'replace', line: hideElements(scanner, message, { member: list.member, isHidden: (at) => hidden.has(at) }) };
  }

  /**
   * Handles the answer to a greeting: its instructions are recorded with the first list or call, or at once if they must not reach the
   * model untrusted.
   */
  greeted(message: Message, pending: PendingRequest): Verdict {
    const { scans, recorder, scanner, session, setup } = this.#connection;
    if (message.result === undefined) return FORWARD;
    if (session.hasToMeet) {
      if (!recorder.open()) return BUSY;
      recorder.within(() => session.join());
    }
    const result = readObject(message, message.result);
    const problem = this.#problemOf(message) ?? (result === undefined ? 'not valid JSON, or not an object' : undefined);
    if (problem !== undefined) return this.#refuse(message, pending, problem);
    const text = result?.['instructions'];
    const hasInstructions = typeof text === 'string' && text !== '';
    this.#hasInstructed = hasInstructions || this.#hasInstructed === true;
    if (!hasInstructions) return FORWARD;
    this.#instructions = joinInstructions(this.#instructions, instructionsDefinition(text));
    if (this.#mayWait) return FORWARD;
    if (!recorder.open()) return BUSY;
    const isTrusted = recorder.within(() => {
      this.#introduce();
      const pin = this.#lists.pin('instructions', '');
      if (scans.isBlind || scans.isHidden(instructionsDefinition(text), pin)) return false;
      return !this.#hidesUntrusted || (this.#serverChange() === undefined && pinStatus(pin) === 'pinned');
    });
    return !this.holds || (isTrusted ?? setup.onError === 'allow')
      ? FORWARD
      : { kind: 'replace', line: hideInstructions(scanner, message) };
  }

  /**
   * True if comparing may wait: on a connection of its own, nothing is decided before a list is compared; calls on parallel connections
   * would not know of it.
   */
  get #mayWait(): boolean {
    return !this.holds && !this.#connection.setup.paths.remote;
  }

  /** True if a page may go on before it is compared: also one from which nothing has to be hidden. */
  #mayGoOn(page: WaitingPage): boolean {
    const { scans, setup } = this.#connection;
    return this.#mayWait || !(this.#hidesUntrusted || setup.paths.remote || !scans.isClean(declaredKey(page, page.digest)));
  }

  /** The registry's facts about the subject of a call. Call it while the recorder is open; undefined if the registry fails. */
  facts(call: Call): RegistryFacts | undefined {
    const { scans, recorder } = this.#connection;
    return recorder.within(() => {
      this.#compareWaiting();
      const kind: DefinitionKind = call.prompt === undefined ? (call.resource === undefined ? 'tool' : 'resource') : 'prompt';
      const facts = this.#lists.facts(kind, call.tool ?? call.resource ?? call.prompt, recorder.current);
      const isInstructing = this.#hasInstructed ?? true;
      const instructions = scans.judgesServer && isInstructing ? this.#lists.pin('instructions', '') : undefined;
      const detection = scans.factsOf(facts, instructions);
      const serverChange = this.#serverChange();
      const isServerChanged = serverChange !== undefined;
      return { ...facts, ...(detection !== undefined && { detection }), isServerChanged, serverChange };
    });
  }

  /** Resolves when all pages that arrived are compared. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Number of lists that are not on record yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** True if answers that can't be compared or scanned are refused. */
  get #isStrict(): boolean {
    return this.#connection.setup.policy.current().policy.pinning.enabled || this.#connection.scans.acts;
  }

  /** The reason why two readers may read an answer differently. */
  #problemOf(message: Message, page?: WaitingPage): string | undefined {
    if (!isText(message)) return 'not valid UTF-8';
    const isClear = page !== undefined && isClearPage(page, message.resultKeys);
    return isClear ? undefined : this.#connection.findResultProblem(message);
  }

  #refuse(message: Message, pending: PendingRequest, problem: string): Verdict {
    this.#connection.scans.lists.forget();
    if (this.#isStrict) this.#connection.noteRefusal('server', message, problem);
    if (!this.#isStrict || this.#connection.setup.isObserving) {
      // Its declarations are unknown, so all of it is scanned as text.
      this.#connection.noteWhole(message, pending);
      return FORWARD;
    }
    return {
      kind: 'replace',
      line: errorLine(idOf(pending), INTERNAL_ERROR, `clawai refused the answer to ${pending.method}: ${problem}`),
    };
  }

  #compareSoon(): void {
    const { recorder } = this.#connection;
    this.#work ??= setTimeout(SENT_AFTER)
      .then(() => {
        // A call may have come meanwhile, which compared the pages first.
        this.#recall();
        const compare = (): void => void recorder.within(() => this.#compareWaiting());
        return this.#waiting.size === 0 ? undefined : recorder.transact(compare, () => undefined);
      })
      .catch((error: unknown) =>
        this.#connection.setup.ports.warn(`could not compare a list with what is trusted: ${String(error)}`),
      )
      .finally(() => {
        this.#work = undefined;
        this.#recall();
      });
  }

  #compareWaiting(): void {
    this.#introduce();
    for (let page = this.#waiting.first; page !== undefined; page = this.#waiting.first) {
      this.#compare(page);
      this.#waiting.drop();
    }
  }

  /** @returns positions of list elements that must not be shown */
  #compare(page: WaitingPage): ReadonlySet<number> | undefined {
    const { scans } = this.#connection;
    const compared = this.#lists.compare(page);
    const hidden =
      scans.holds && compared ? compared.hidden.union(this.#lists.placesOf(page, compared, scans)) : compared?.hidden;
    scans.lists.forget();
    this.#scanSoon();
    this.#compared?.pages.push(page);
    this.#compareSoon();
    if (hidden?.size === 0) this.#known.set(page.place, page.digest);
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    return hidden;
  }

  /** Puts back pages and instructions whose comparison was rolled back. */
  #recall(): void {
    const { recorder } = this.#connection;
    const compared = this.#compared;
    // The open transaction may still be lost.
    if (recorder.isOpen && compared?.within === recorder.current) return;
    this.#compared = undefined;
    if (compared?.within.isLost !== true) return;
    this.#waiting.putBack(compared.pages);
    this.#instructions ??= compared.instructions;
  }

  #serverChange(): ServerChange | undefined {
    return this.#connection.launch.change(() => {
      const pin = (this.#hasInstructed ?? true) ? this.#lists.pin('instructions', '') : undefined;
      return pinStatus(pin) === 'changed' ? pin?.seen : undefined;
    });
  }

  /** Records the server's launch and its instructions as soon as that is possible. */
  #introduce(): void {
    const { launch, client, recorder, setup } = this.#connection;
    const { current } = recorder;
    this.#recall();
    const { database } = setup.ports.registry;
    const { within, to } = this.#introduced ?? {};
    // A store that was replaced meanwhile knows nothing of this server.
    if (within?.isLost !== false || to !== database) launch.introduce();
    launch.noteUse(client);
    this.#connection.session.join();
    this.#introduced = { within: current, to: database };
    const instructions = this.#instructions;
    this.#compared ??= { within: current, pages: [], instructions };
    if (instructions === undefined) return;
    this.#compared = { ...this.#compared, instructions };
    launch.doubt();
    this.#lists.compareInstructions(instructions);
    this.#scanSoon();
    this.#instructions = undefined;
  }

  /** Queues compared definitions to be scanned; if lists wait for scans, this records the results. */
  #scanSoon(): void {
    for (const compared of this.#lists.takeCompared()) this.#connection.scans.note(compared);
  }
}

/** Joins both instructions if a server was greeted twice before they could be recorded: the model may go by either. */
export function joinInstructions(earlier: Definition | undefined, later: Definition): Definition {
  return earlier === undefined || earlier.fingerprint === later.fingerprint ? later : combineDefinitions([earlier, later]);
}

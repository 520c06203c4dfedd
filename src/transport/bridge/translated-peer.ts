import { meet, type Met } from '../../protocol/eras/meeting.ts';
import { readPart, type Sent, type Translation } from '../../protocol/eras/translation.ts';
import type { JsonScanner } from '../../protocol/json-scanner.ts';
import { readLine } from '../../protocol/jsonrpc.ts';
import { UNSUPPORTED_VERSION } from '../../protocol/mcp/methods.ts';
import { EraQuestion } from './era-question.ts';
import { RemotePeer, type RemotePeerOptions } from './remote-peer.ts';

export interface TranslatedPeerOptions extends Omit<RemotePeerOptions, 'write'> {
  readonly scanner: JsonScanner;
  /** Returns an id that nobody else has, as JSON text. */
  readonly newId: () => string;
  /** Takes a message for the client, on one line. Resolves when there is room for more. */
  readonly toClient: (line: Buffer) => Promise<void>;
}

/** A conversation with a remote server that speaks another era than its client. */
export class TranslatedPeer {
  readonly #options: TranslatedPeerOptions;
  readonly #peer: RemotePeer;
  readonly #met = Promise.withResolvers<Met>();
  readonly #question: EraQuestion;
  #translation: Translation | undefined;

  constructor(options: TranslatedPeerOptions) {
    this.#options = options;
    this.#peer = new RemotePeer({ ...options, write: (line) => this.#fromServer(line) });
    const send = (line: Buffer): void => this.#peer.send(line);
    this.#question = new EraQuestion({ newId: options.newId, send, settle: this.#met.resolve });
  }

  /** Asks the server what it speaks. @param greeting the client's first request, which is answered when it comes */
  async meet(greeting: Buffer): Promise<Met['kind']> {
    const { scanner, newId, warn, name } = this.#options;
    this.#question.ask(meet(scanner, greeting, newId));
    const met = await this.#met.promise;
    if (met.kind === 'translated') {
      this.#translation = met.translation;
      await this.#carry(met.sent.filter(({ to }) => to === 'server'));
    } else if (met.kind === 'refused' && met.why !== undefined) warn(`${name} refuses a client, and ${met.why}`);
    return met.kind;
  }

  fromClient(line: Buffer): Promise<void> {
    return this.#carry(this.#translation?.fromClient(line) ?? []);
  }

  leave(): Promise<void> {
    return this.#peer.leave();
  }

  /** Takes a message of the server's. Resolves when there is room for more. */
  async #fromServer(line: Buffer): Promise<void> {
    const { scanner, warn, name, lost } = this.#options;
    const message = readLine(scanner, line);
    if (this.#question.take(message) || this.#translation === undefined) return;
    await this.#carry(this.#translation.fromServer(line));
    if (message.error === undefined || readPart(line, message.error)['code'] !== UNSUPPORTED_VERSION) return;
    warn(`${name} speaks another revision of MCP than before, so its clients have to begin again`);
    lost();
  }

  async #carry(all: readonly Sent[]): Promise<void> {
    await Promise.all(all.map(({ to, line }) => (to === 'server' ? this.#peer.send(line) : this.#options.toClient(line))));
  }
}

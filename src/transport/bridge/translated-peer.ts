import { meet, type Meeting, type Met } from '../../protocol/eras/meeting.ts';
import { readPart, type Sent, type Translation } from '../../protocol/eras/translation.ts';
import type { JsonScanner } from '../../protocol/json-scanner.ts';
import { idText, readMessage } from '../../protocol/jsonrpc.ts';
import { UNSUPPORTED_VERSION } from '../../protocol/mcp/methods.ts';
import type { Message } from '../../protocol/message.ts';
import { RemotePeer, type RemotePeerOptions } from './remote-peer.ts';

export interface TranslatedPeerOptions extends Omit<RemotePeerOptions, 'write'> {
  readonly scanner: JsonScanner;
  /** Returns an id that nobody else has, as JSON text. */
  readonly newId: () => string;
  /** Takes a message for the client, on one line. Resolves when there is room for more. */
  readonly toClient: (line: Buffer) => Promise<void>;
}

/** Milliseconds that a server gets to say what it speaks. */
const PATIENCE = 10_000;

/** A conversation with a remote server that speaks another era than its client. */
export class TranslatedPeer {
  readonly #options: TranslatedPeerOptions;
  readonly #peer: RemotePeer;
  #translation: Translation | undefined;
  /** Our question to the server, while it has no answer. */
  #question: { readonly id: string; readonly answered: (message: Message) => void } | undefined;

  constructor(options: TranslatedPeerOptions) {
    this.#options = options;
    this.#peer = new RemotePeer({ ...options, write: (line) => this.#fromServer(line) });
  }

  /** Asks the server what it speaks. @param greeting the client's first request, which is answered when it comes */
  async meet(greeting: Buffer): Promise<Met['kind']> {
    const { scanner, newId, warn, name } = this.#options;
    let met: Met | Meeting = meet(scanner, greeting, newId);
    while (!('kind' in met)) {
      const id = newId();
      met = met.answered(await this.#ask(id, met.question(id)));
    }
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

  async #ask(id: string, line: Buffer): Promise<Message | undefined> {
    const { promise, resolve } = Promise.withResolvers<Message | undefined>();
    const timer = setTimeout(() => resolve(undefined), PATIENCE).unref();
    this.#question = { id, answered: resolve };
    this.#peer.send(line);
    const message = await promise;
    clearTimeout(timer);
    this.#question = undefined;
    return message;
  }

  /** Takes a message of the server's. Resolves when there is room for more. */
  async #fromServer(line: Buffer): Promise<void> {
    const { scanner, warn, name, lost } = this.#options;
    const message = { ...readMessage(scanner, line, 0, line.length) };
    if (message.kind === 'response' && this.#question?.id === idText(message)) return this.#question.answered(message);
    if (this.#translation === undefined) return;
    await this.#carry(this.#translation.fromServer(line));
    if (message.error === undefined || readPart(line, message.error)['code'] !== UNSUPPORTED_VERSION) return;
    warn(`${name} speaks another revision of MCP than before, so its clients have to begin again`);
    lost();
  }

  async #carry(all: readonly Sent[]): Promise<void> {
    await Promise.all(all.map(({ to, line }) => (to === 'server' ? this.#peer.send(line) : this.#options.toClient(line))));
  }
}

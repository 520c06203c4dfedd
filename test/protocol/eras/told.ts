import type { Sent, Translation } from '../../../src/protocol/eras/translation.ts';

type Message = Readonly<Record<string, unknown>>;
type Read = readonly [to: Sent['to'], message: Message];

/** A translation that is told messages, and says what it sends: without `jsonrpc`, which is in all of them. */
export class Told {
  readonly translation: Translation;
  #ids = 0;

  constructor(create: (newId: () => string) => Translation) {
    this.translation = create(() => `"new-${++this.#ids}"`);
  }

  client(message: Message): readonly Read[] {
    return this.translation.fromClient(toLine(message)).map(read);
  }

  server(message: Message): readonly Read[] {
    return this.translation.fromServer(toLine(message)).map(read);
  }
}

function toLine(message: Message): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

function read({ to, line }: Sent): Read {
  const { jsonrpc, ...message } = JSON.parse(line.toString()) as Message;
  if (jsonrpc !== '2.0' || line.includes('\n')) throw new Error(`not a message on one line: ${line.toString()}`);
  return [to, message];
}

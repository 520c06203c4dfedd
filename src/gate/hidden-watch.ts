import type { DefinitionKind } from '../core/registry/definition.ts';
import type { GateSetup } from './ports.ts';
import type { Recorder } from './recorder.ts';
import type { ServerLaunch } from './server-launch.ts';

/** Milliseconds between looks at what a person may have approved meanwhile. */
const INTERVAL = 1000;

/** What of a notification's method says which lists have changed. */
const LISTS: Readonly<Partial<Record<DefinitionKind, string>>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  resource_template: 'resources',
};

/** Tells a client to list again once a person has approved something of what was hidden from it. Nothing is looked up while nothing is hidden. */
export class HiddenWatch {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #launch: Pick<ServerLaunch, 'scope'>;
  /** What was approved when something was hidden. */
  readonly #hidden = new Map<DefinitionKind, string>();
  /** Ways to the client, the latest last. */
  readonly #ways = new Set<(line: string) => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(setup: GateSetup, recorder: Recorder, launch: Pick<ServerLaunch, 'scope'>) {
    this.#setup = setup;
    this.#launch = launch;
    this.#recorder = recorder;
  }

  /** Something of a list was hidden. To be called in an open transaction. */
  note(kind: DefinitionKind): void {
    this.#hidden.set(kind, this.#approved(kind));
    this.#lookSoon();
  }

  /** There is a way to the client, until what is returned is called. @param tell takes a line there, beside all answers */
  listen(tell: (line: string) => void): () => void {
    this.#ways.add(tell);
    this.#lookSoon();
    return () => {
      this.#ways.delete(tell);
      if (this.#ways.size === 0) clearTimeout(this.#timer);
      if (this.#ways.size === 0) this.#timer = undefined;
    };
  }

  #lookSoon(): void {
    if (this.#ways.size === 0 || this.#hidden.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#look(), INTERVAL).unref();
  }

  async #look(): Promise<void> {
    const kinds = await this.#recorder.alone(
      () => this.#recorder.within(() => [...this.#hidden].flatMap(([kind, was]) => (this.#approved(kind) === was ? [] : [kind]))),
      () => undefined,
    );
    this.#timer = undefined;
    const tell = [...this.#ways].at(-1);
    // Whoever has no way any more is told when there is one again.
    if (tell !== undefined && kinds !== undefined) {
      for (const kind of kinds) this.#hidden.delete(kind);
      for (const list of new Set(kinds.map((kind) => LISTS[kind])))
        tell(`{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}\n`);
    }
    this.#lookSoon();
  }

  /** All that a person's word may have changed. */
  #approved(kind: DefinitionKind): string {
    const { registry } = this.#setup.ports;
    const { scope } = this.#launch;
    const pins = [...registry.pins(scope, kind).values(), registry.pin(scope, 'instructions', '')];
    return JSON.stringify([registry.server(scope)?.pinned, pins.map((pin) => [pin?.name, pin?.pinned, pin?.isApproved])]);
  }
}

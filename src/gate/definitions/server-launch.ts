import type { ServerChange } from '../../core/finding.ts';
import type { FieldChange } from '../../core/registry/definition.ts';
import { shortFingerprint } from '../../core/registry/fingerprint.ts';
import { nearestLaunch } from '../../core/registry/diff.ts';
import { serverFlag } from '../calls/guard-words.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { LaunchRecord, PinScope } from '../ports/registry-port.ts';
import { tellRefused } from './definition-news.ts';

/** Milliseconds after which continued use of a server is noted again. */
const USED_AGAIN = 60_000;

/** Milliseconds for which a trusted server is not checked again. */
const TRUSTED_FOR = 250;

/** Compares how the server of one connection was started with what is trusted. Call every method in an open transaction. */
export class ServerLaunch {
  readonly #setup: GateSetup;
  #scope: PinScope | undefined;
  #trustedUntil = 0;
  #used: { readonly at: number; readonly client: string } | undefined;

  constructor(setup: GateSetup) {
    this.#setup = setup;
  }

  /** The scope of the server's pins. */
  get scope(): PinScope {
    return (this.#scope ??= this.#read().scope);
  }

  /** Notes the launch, and tells if it is not trusted. */
  introduce(): void {
    const { registry, clock } = this.#setup.ports;
    const identity = this.#setup.identity();
    const launch = this.#read();
    const { scope, isFirst } = launch;
    this.#scope = scope;
    this.#used = undefined;
    // Trust found in a lost transaction or in a replaced store does not count in this one.
    this.doubt();
    const known = registry.server(scope);
    const isTrusted = launch.isTrusted || (isFirst && this.#setup.policy.current().policy.pinning.trustFirstUse);
    const isRefused = !isTrusted && !isFirst;
    if (isRefused || known?.seen !== identity.fingerprint || (isTrusted && known.pinned !== known.seen))
      registry.writeServer(scope, identity, { isPinned: isTrusted, now: clock.now() });
    if (isRefused) this.#tellRefused();
  }

  /** Notes from time to time that the server is used, and by whom. @param client as it calls itself */
  noteUse(client: string): void {
    const { paths, ports } = this.#setup;
    const now = ports.clock.now();
    if (this.#used?.client === client && Math.abs(now - this.#used.at) < USED_AGAIN) return;
    this.#used = { at: now, client };
    ports.registry.noteUse(this.scope, { client, folder: paths.remote ? '' : paths.cwd }, now);
  }

  /**
   * The server's change since it was trusted; undefined if no change is known, or nothing was trusted yet.
   *
   * @param otherInstructions fingerprint of its instructions if they differ from the trusted ones
   */
  change(otherInstructions: () => string | undefined): ServerChange | undefined {
    const now = this.#setup.ports.clock.now();
    if (now < this.#trustedUntil && now > this.#trustedUntil - 2 * TRUSTED_FOR) return undefined;
    const { refusal } = this;
    // Later launches may have pushed this one out of the registry, where a person must find it.
    if (refusal !== undefined && this.#setup.ports.registry.server(this.scope) === undefined) this.introduce();
    const fingerprint = refusal === undefined ? otherInstructions() : undefined;
    const change = fingerprint === undefined ? refusal : ({ of: 'instructions', fingerprint, fields: [] } as const);
    this.#trustedUntil = change === undefined ? now + TRUSTED_FOR : 0;
    return change;
  }

  /** Drops the cached trust, since something may have changed. */
  doubt(): void {
    this.#trustedUntil = 0;
  }

  /** The untrusted difference in the launch, if any. */
  get refusal(): ServerChange | undefined {
    const { isTrusted, isFirst } = this.#read();
    if (isTrusted || isFirst) return undefined;
    const { fingerprint } = this.#setup.identity();
    return { of: 'launch', fingerprint, fields: this.#nearest().changes.map(({ field }) => field) };
  }

  /** True if first listings are trusted: never for an untrusted launch. */
  get trustsFirstUse(): boolean {
    const { isTrusted, isFirst } = this.#read();
    return this.#setup.policy.current().policy.pinning.trustFirstUse && (isTrusted || isFirst);
  }

  #tellRefused(): void {
    const { server, identity, policy, ports } = this.#setup;
    const { type, fingerprint } = identity();
    ports.sink.record({
      type: 'server_changed',
      time: ports.clock.now(),
      session: ports.session(),
      server,
      serverType: type,
      ...this.#nearest(),
      next: fingerprint,
      action: policy.current().policy.pinning.onChange,
    });
    tellRefused(this.#setup, { kind: 'server', name: '', why: 'changed', trusted: fingerprint });
    ports.warn(
      `${JSON.stringify(server)} is started differently than when it was trusted: see clawai approve ${serverFlag(server)} --launch ${shortFingerprint(fingerprint)}`,
    );
  }

  /** The differences to the most similar trusted launch. */
  #nearest(): { readonly previous: string; readonly changes: readonly FieldChange[] } {
    const { server, identity, ports } = this.#setup;
    return nearestLaunch(ports.registry.trustedLaunches(server), identity().text) ?? { previous: '', changes: [] };
  }

  #read(): LaunchRecord {
    const { server, identity, ports } = this.#setup;
    return ports.registry.launch(server, identity().fingerprint);
  }
}

import type { ScanResult } from '../../src/core/detect/types.ts';
import type { Definition, DefinitionKind, PinRecord, PinWrite } from '../../src/core/registry/definition.ts';
import type {
  LaunchIdentity,
  LaunchRecord,
  LaunchUse,
  Owner,
  PinScope,
  Registry,
  ServerRecord,
} from '../../src/gate/ports/registry-port.ts';

/** What a `MemoryRegistry` knows of a definition. */
interface Known {
  readonly pin: PinRecord;
  readonly server: string;
  readonly seenText: string;
  readonly pinnedText: string | undefined;
}

/** How a server is started about which nobody wants to know. */
export const NO_IDENTITY: LaunchIdentity = {
  type: 'stdio',
  text: '{"args":[],"command":"server"}',
  fingerprint: 'sha256:identity',
};

/** A registry without a store: what is written stays, unless it is rolled back. Names look alike where they differ in case alone. */
export class MemoryRegistry implements Registry {
  #servers = new Map<string, ServerRecord & { readonly seenText: string; readonly pinnedText: string | undefined }>();
  #known = new Map<string, Known>();
  #pages = new Map<string, string>();
  #trusted = new Set<string>();
  #results = new Map<string, ScanResult>();
  #untold = new Map<string, string>();
  #rollback = (): void => {};
  readonly database = this;
  readonly uses: (LaunchUse & { readonly scope: PinScope })[] = [];

  /** From here on, what is written can be taken back. */
  begin(): void {
    const before = [
      new Map(this.#servers),
      new Map(this.#known),
      new Map(this.#pages),
      new Set(this.#trusted),
      new Map(this.#results),
      new Map(this.#untold),
    ] as const;
    this.#rollback = () => {
      [this.#servers, this.#known, this.#pages, this.#trusted, this.#results, this.#untold] = before;
    };
  }

  rollback(): void {
    this.#rollback();
    this.#rollback = () => {};
  }

  launch(server: string, identity: string): LaunchRecord {
    const own = { server, launch: identity };
    const scope = [server, own].find((each) => this.#trusted.has(`${scopeText(each)} ${identity}`));
    if (scope !== undefined) return { scope, isTrusted: true, isFirst: false };
    const isFirst = this.trustedLaunches(server).length === 0;
    const shared = this.#servers.get(server);
    const isShared = shared === undefined || (shared.pinned === undefined && shared.seen === identity);
    return { scope: isShared ? server : own, isTrusted: false, isFirst };
  }

  untold(scope: PinScope): string | undefined {
    return this.#untold.get(scopeText(scope));
  }

  writeUntold(scope: PinScope, text: string | undefined): void {
    if (text === undefined) this.#untold.delete(scopeText(scope));
    else this.#untold.set(scopeText(scope), text);
  }

  server(scope: PinScope): ServerRecord | undefined {
    return this.#servers.get(scopeText(scope));
  }

  trustedLaunches(server: string): readonly { readonly fingerprint: string; readonly text: string }[] {
    return [...this.#servers].flatMap(([key, { pinned, pinnedText }]) =>
      serverOf(key) === server && pinned !== undefined && pinnedText !== undefined
        ? [{ fingerprint: pinned, text: pinnedText }]
        : [],
    );
  }

  noteUse(scope: PinScope, use: LaunchUse): void {
    this.uses.push({ scope, ...use });
  }

  /** Where no launch but the first is asked about, it is the server's name. */
  scopeOf(server: string): PinScope {
    return server;
  }

  writeServer(scope: PinScope, { text, fingerprint }: LaunchIdentity, { isPinned }: { readonly isPinned: boolean }): void {
    const server = scopeText(scope);
    const known = this.#servers.get(server);
    if (isPinned) this.#trusted.add(`${server} ${fingerprint}`);
    this.#servers.set(server, {
      pinned: isPinned ? fingerprint : known?.pinned,
      pinnedText: isPinned ? text : known?.pinnedText,
      seen: fingerprint,
      seenText: text,
    });
  }

  serverText(scope: PinScope, which: 'pinned' | 'seen'): string | undefined {
    const server = scopeText(scope);
    const known = this.#servers.get(server);
    return which === 'seen' ? known?.seenText : known?.pinnedText;
  }

  pin(scope: PinScope, kind: DefinitionKind, name: string): PinRecord | undefined {
    const server = scopeText(scope);
    return this.#known.get(keyOf(server, kind, name))?.pin;
  }

  pins(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, PinRecord> {
    const server = scopeText(scope);
    const all = [...this.#known.values()].filter((known) => known.server === server && known.pin.kind === kind);
    return new Map(all.map(({ pin }) => [pin.name, pin]));
  }

  text(scope: PinScope, kind: DefinitionKind, name: string, which: 'pinned' | 'seen'): string | undefined {
    const server = scopeText(scope);
    const known = this.#known.get(keyOf(server, kind, name));
    return which === 'seen' ? known?.seenText : known?.pinnedText;
  }

  write(scope: PinScope, writes: readonly PinWrite[]): void {
    const server = scopeText(scope);
    for (const { kind, name, seen, isPinned, isListed } of writes) {
      const key = keyOf(server, kind, name);
      const known = this.#known.get(key);
      const seenText = seen?.text ?? known?.seenText;
      const fingerprint = seen?.fingerprint ?? known?.pin.seen;
      if (seenText === undefined || fingerprint === undefined) continue;
      const isNewlyPinned = isPinned === true && known?.pin.pinned === undefined;
      this.#known.set(key, {
        server,
        seenText,
        pinnedText: isNewlyPinned ? seenText : known?.pinnedText,
        pin: {
          kind,
          name,
          pinned: isNewlyPinned ? fingerprint : known?.pin.pinned,
          seen: fingerprint,
          isListed,
          ...(known?.pin.isApproved === true && { isApproved: true }),
        },
      });
    }
  }

  page(scope: PinScope, kind: DefinitionKind, cursor: string): string | undefined {
    const server = scopeText(scope);
    return this.#pages.get(keyOf(server, kind, cursor));
  }

  writePage(scope: PinScope, kind: DefinitionKind, cursor: string, digest: string | undefined): void {
    const server = scopeText(scope);
    if (digest !== undefined) this.#pages.set(keyOf(server, kind, cursor), digest);
    else for (const key of this.#pages.keys()) if (isOf(key, server, kind)) this.#pages.delete(key);
  }

  lookAlikes(scope: PinScope, names: readonly string[]): ReadonlyMap<string, readonly Owner[]> {
    const server = scopeText(scope);
    const found = new Map<string, readonly Owner[]>();
    for (const name of names) {
      const owners = [...this.#known.values()]
        .filter((known) => serverOf(known.server) !== serverOf(server) && known.pin.kind === 'tool')
        .filter(({ pin }) => pin.isListed && pin.name.toLowerCase() === name.toLowerCase())
        .map((known) => ({ server: serverOf(known.server), name: known.pin.name }));
      if (owners.length > 0) found.set(name, owners);
    }
    return found;
  }

  scanResult(scope: PinScope, kind: DefinitionKind, name: string, fingerprint: string): ScanResult | undefined {
    const server = scopeText(scope);
    return this.#results.get(`${keyOf(server, kind, name)} ${fingerprint}`);
  }

  writeScanResult(scope: PinScope, { kind, name, fingerprint }: Definition, result: ScanResult): void {
    const server = scopeText(scope);
    const pin = this.pin(server, kind, name);
    if (pin?.seen === fingerprint || pin?.pinned === fingerprint)
      this.#results.set(`${keyOf(server, kind, name)} ${fingerprint}`, result);
  }

  unscanned(scope: PinScope, kind: DefinitionKind, version: string): readonly Definition[] {
    const server = scopeText(scope);
    return [...this.pins(server, kind).values()]
      .filter(({ name, seen, isListed }) => isListed && this.scanResult(server, kind, name, seen)?.version !== version)
      .map(({ name, seen }) => ({ kind, name, fingerprint: seen, text: this.text(server, kind, name, 'seen') ?? '' }));
  }

  found(scope: PinScope, kind: DefinitionKind): ReadonlyMap<string, ScanResult> {
    const server = scopeText(scope);
    const results = [...this.pins(server, kind).values()].map(({ name, seen }) => [
      name,
      this.scanResult(server, kind, name, seen),
    ]);
    return new Map(
      results.filter((entry): entry is [string, ScanResult] => (entry[1] as ScanResult | undefined)?.severity !== undefined),
    );
  }

  listers(tool: string): readonly string[] {
    return [...this.#known.values()]
      .filter(({ pin }) => pin.kind === 'tool' && pin.isListed && pin.name === tool)
      .map(({ server }) => serverOf(server));
  }

  tools(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>([...this.#servers.keys()].map((server) => [serverOf(server), []]));
    for (const { pin, server: key } of this.#known.values()) {
      const server = serverOf(key);
      if (pin.kind === 'tool') found.set(server, [...(found.get(server) ?? []), pin.name]);
    }
    return found;
  }

  /** Trusts what was seen last, as a person does with `clawai approve`. */
  approve(server: string, kind: DefinitionKind, name: string): void {
    const key = keyOf(server, kind, name);
    const known = this.#known.get(key);
    if (known === undefined) throw new Error(`never seen: ${key}`);
    this.#known.set(key, {
      ...known,
      pinnedText: known.seenText,
      pin: { ...known.pin, pinned: known.pin.seen, isApproved: true },
    });
    this.writePage(server, kind, '', undefined);
  }
}

/** Keys of a launch of its own are JSON; no server of a test is called so. */
function scopeText(scope: PinScope): string {
  return typeof scope === 'string' ? scope : JSON.stringify([scope.server, scope.launch]);
}

function serverOf(key: string): string {
  return key.startsWith('["') ? String((JSON.parse(key) as unknown[])[0]) : key;
}

function keyOf(...parts: readonly [server: string, kind: DefinitionKind, rest: string]): string {
  return JSON.stringify(parts);
}

function isOf(key: string, server: string, kind: DefinitionKind): boolean {
  const [ofServer, ofKind] = JSON.parse(key) as [string, string];
  return ofServer === server && ofKind === kind;
}

import { tellServerChange } from './definition-news.ts';
import type { GateSetup } from './ports.ts';

/** Notes how a server is started, and tells where that is otherwise than it was when it was trusted. To be called in an open transaction. */
export function introduceServer(setup: GateSetup): void {
  const { registry, clock } = setup.ports;
  const { server } = setup;
  const identity = setup.identity();
  const known = registry.server(server);
  const { trustFirstUse } = setup.policy.current().policy.pinning;
  const isTrusted = known?.pinned === undefined ? trustFirstUse : registry.isTrusted(server, identity.fingerprint);
  if (known?.seen !== identity.fingerprint || (isTrusted && known.pinned !== known.seen)) {
    registry.writeServer(server, identity, { isPinned: isTrusted, now: clock.now() });
  }
  if (known?.pinned !== undefined && !isTrusted) tellServerChange(setup, known.pinned);
}

import { isJsonObject, parseJson } from '../core/json.ts';
import type { Definition, DefinitionKind, FieldChange, Sight } from '../core/registry/definition.ts';
import { diffDefinitions } from '../core/registry/diff.ts';
import type { GateSetup } from './ports.ts';

/** Changes of one list that are told to the person one by one. */
const MOST_TOLD = 3;

interface News {
  readonly kind: DefinitionKind;
  readonly sights: readonly Sight[];
  /** What was wrong with the list. */
  readonly problems: readonly string[];
}

/** Records what is not as it was the last time, and tells the person of what is not as it was trusted. To be called in an open transaction. */
export function tellNews({ server, identity, policy, ports }: GateSetup, { kind, sights, problems }: News): void {
  const { registry, clock, session, sink, warn } = ports;
  const news = sights.filter(({ status }) => status !== 'unchanged');
  const names = news.filter(({ status }) => status === 'new').map(({ definition }) => definition.name);
  const lookAlikes = kind === 'tool' && names.length > 0 ? registry.lookAlikes(server, names) : undefined;
  const problem = problems.length === 0 ? undefined : problems.join('; ');
  const action = policy.current().policy.pinning.onChange;
  let told = 0;
  for (const { definition, status, pinned, renamedFrom } of news) {
    const { name, fingerprint } = definition;
    const about = { time: clock.now(), session: session(), server, serverType: identity().type, kind, name };
    const likes = lookAlikes?.get(name) ?? [];
    sink.recordSeen({
      ...about,
      fingerprint,
      description: descriptionOf(definition),
      status,
      renamedFrom,
      lookAlikes: likes,
      problem,
    });
    if (status !== 'changed' || pinned === undefined) continue;
    const previous = registry.text(server, kind, name, 'pinned');
    const changes = previous === undefined ? [] : diffDefinitions(previous, definition.text);
    sink.recordChanged({ ...about, previous: pinned, next: fingerprint, changes, action });
    told++;
    if (told <= MOST_TOLD) warn(describeChange(server, definition, changes));
  }
  if (told > MOST_TOLD)
    warn(`${told - MOST_TOLD} more definitions of ${JSON.stringify(server)} changed: clawai mcp registry list`);
}

/** Records and tells that a server is started otherwise than it was when it was trusted. @param pinned the trusted identity's fingerprint */
export function tellServerChange({ server, identity, policy, ports }: GateSetup, pinned: string): void {
  const { registry, clock, session, sink, warn } = ports;
  const previous = registry.serverText(server, 'pinned');
  const now = identity();
  sink.recordServerChanged({
    time: clock.now(),
    session: session(),
    server,
    serverType: now.type,
    previous: pinned,
    next: now.fingerprint,
    changes: previous === undefined ? [] : diffDefinitions(previous, now.text),
    action: policy.current().policy.pinning.onChange,
  });
  warn(
    `${JSON.stringify(server)} is started otherwise than it was when it was trusted: see clawai mcp approve --server ${server} --all`,
  );
}

function describeChange(server: string, { kind, name }: Definition, changes: readonly FieldChange[]): string {
  const what = kind === 'instructions' ? 'the instructions' : `the ${kind.replace('_', ' ')} ${JSON.stringify(name)}`;
  const fields = changes.slice(0, MOST_TOLD).map(({ field }) => field);
  const where = fields.length === 0 ? '' : ` (${fields.join(', ')}${changes.length > fields.length ? ', …' : ''})`;
  return `${what} of ${JSON.stringify(server)} changed since it was trusted${where}: see clawai mcp registry list, and clawai mcp approve`;
}

function descriptionOf({ kind, text }: Definition): string | undefined {
  if (kind === 'instructions') return undefined;
  const value = parseJson(text);
  const description = isJsonObject(value) ? value['description'] : undefined;
  return typeof description === 'string' ? description : undefined;
}

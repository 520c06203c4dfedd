import type { Call } from '../../../core/call.ts';
import type { DetectionFacts } from '../../../core/detect/facts.ts';
import type { CompiledPolicy } from '../../../core/policy/compile.ts';
import type { DefinitionKind, PinRecord } from '../../../core/registry/definition.ts';
import type { RegistryFacts } from '../../../core/registry/facts.ts';
import { pinStatus } from '../../../core/registry/pin-status.ts';
import { matchesTemplate } from '../../../core/registry/match-template.ts';
import type { Snapshot } from '../../../core/snapshot.ts';
import { findingsOf, isApproved } from '../../../gate/detection/findings.ts';
import { openRegistryReader } from '../../../store/read-open.ts';
import type { RegisteredDefinition, RegistryReader } from '../../../store/registry-reader.ts';

type Facts = Pick<Snapshot, 'registry' | 'detection'>;

/** What is on record of what is called, and of its server; nothing where there is no store, or the server was never seen. Throws ClawaiError `store_*`. */
export function readFacts(file: string, call: Call, policy: CompiledPolicy): Facts {
  const reader = call.origin === 'native' ? undefined : openRegistryReader(file);
  if (reader === undefined) return {};
  try {
    return factsOf(reader, call, policy);
  } finally {
    reader.close();
  }
}

function factsOf(reader: RegistryReader, call: Call, policy: CompiledPolicy): Facts {
  const { server } = call;
  const launch = reader.servers().find((each) => each.server === server);
  if (launch === undefined) return {};
  const found = definitionOf(reader, call);
  const instructions = reader.definition(server, 'instructions', '');
  const isOther = launch.pinned !== undefined && launch.pinned !== launch.seen;
  const registry: RegistryFacts = {
    status: pinStatus(found),
    fingerprint: found?.seen,
    definition: () => (found === undefined ? undefined : reader.definition(server, found.kind, found.name)?.seenText),
    isServerChanged: isOther || pinStatus(instructions) === 'changed',
  };
  const text = registry.definition();
  const detection = found === undefined ? undefined : detectionOf({ found, instructions }, call, policy);
  return { registry: { ...registry, definition: () => text }, ...(detection === undefined ? {} : { detection }) };
}

/** Most resources are never listed: what is known of one is its template. */
function definitionOf(reader: RegistryReader, { server, tool, resource, prompt }: Call): RegisteredDefinition | undefined {
  const name = tool ?? resource ?? prompt;
  if (name === undefined) return undefined;
  const kind: DefinitionKind = tool !== undefined ? 'tool' : resource !== undefined ? 'resource' : 'prompt';
  const found = reader.definition(server, kind, name);
  if (found !== undefined || resource === undefined) return found;
  const templates = reader
    .definitions({ server, kind: 'resource_template' })
    .filter((each) => matchesTemplate(each.name, resource));
  return ['changed', 'pinned', 'new'].flatMap((status) => templates.find((each) => pinStatus(each) === status) ?? [])[0];
}

interface Looked {
  readonly found: RegisteredDefinition;
  readonly instructions: RegisteredDefinition | undefined;
}

/** Undefined where nobody has looked at the definition yet. */
function detectionOf(
  { found, instructions }: Looked,
  { server, tool }: Call,
  policy: CompiledPolicy,
): DetectionFacts | undefined {
  if (found.detections === undefined) return undefined;
  const isAgreed = instructions === undefined || isApproved(toPin(instructions));
  return {
    findings: findingsOf(policy, found.detections, { server, tool }),
    ofServer: isAgreed ? [] : findingsOf(policy, instructions.detections, { server, tool: undefined }),
    isApproved: isApproved(toPin(found)),
  };
}

function toPin(definition: RegisteredDefinition): PinRecord {
  return { ...definition, isApproved: definition.approvedAt !== undefined };
}

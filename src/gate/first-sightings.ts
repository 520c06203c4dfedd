import type { CallSightings, Seen } from './call-sightings.ts';
import type { CallRecord, Ports } from './ports.ts';
import { questionIdentity } from './question-identity.ts';
import type { Granted } from './sighting-port.ts';
import { isToolUseId } from './tool-use-id.ts';

/** Calls in models' answers: each is noted along with its record, for where the agent makes it. */
export class FirstSightings implements CallSightings {
  readonly #ports: Pick<Ports, 'sightings'>;

  constructor(ports: Pick<Ports, 'sightings'>) {
    this.#ports = ports;
  }

  answerTo(): undefined {
    // Nobody sees it earlier.
    return undefined;
  }

  take(): undefined {
    return undefined;
  }

  note(record: CallRecord, { hasGoneOn }: Seen): void {
    const { call, intercepted } = record;
    // The agent's own tools and what the provider runs come to no server that we stand in front of.
    if (call.origin === 'native' || intercepted?.runBy !== 'client') return;
    const { id } = intercepted;
    this.#ports.sightings?.()?.add(record.session, call, {
      record: record.id,
      time: record.time,
      toolUseId: isToolUseId(id) ? id : '',
      isDenied: !hasGoneOn,
      granted: hasGoneOn ? grantedIn(record) : undefined,
    });
  }
}

function grantedIn({ decision, asked, answer }: CallRecord): Granted | undefined {
  const question = asked === 'granted' ? questionIdentity(decision) : undefined;
  if (question === undefined) return undefined;
  return { question, id: answer?.id, by: answer?.by, remember: answer?.remember };
}

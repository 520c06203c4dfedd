import { setImmediate } from 'node:timers/promises';
import { ChainVerifier, type ChainFault } from '../../audit/verify.ts';
import { EXIT } from '../../errors.ts';
import type { StoreReader } from '../../store/reading/read.ts';
import { defineCommand } from '../command.ts';
import { countOfThings, formatTime, isoTime } from '../terminal/layout.ts';
import { isQuiet, Progress } from '../terminal/notes.ts';
import { openRecorded, STORE_FLAGS } from '../machine/open-store.ts';
import { createOutput, type Output } from '../terminal/streams.ts';
import { printable, prettyJson } from '../terminal/text.ts';

/** Faults that are shown one by one; a store that was tampered with can have one per event. */
const MOST_SHOWN = 1000;
/** Events between two turns of the event loop, so that Ctrl-C ends it and progress is shown. */
const PART = 1000;

const LIMITS =
  'This is no proof against tampering. The chain has no key, so anyone who can write the store can compute it again from any event on. ' +
  'Missing newest events of a process go unnoticed. Keep exports elsewhere to compare with.';

/** `clawai log verify`: looks for gaps and edits in what was recorded. */
export const logVerifyCommand = defineCommand({
  meta: {
    name: 'log verify',
    description: 'Check the log for gaps and edits.',
    notes: [
      'Each process chains its events: the hash of an event covers the hash before it and the hash of its body. This command computes all ' +
        'chains again from the bodies, and compares the columns of each event with its body. If retention erased the beginning of a chain, ' +
        'the check starts after it.',
      LIMITS,
    ],
    exitCodes: { 0: 'intact', 1: 'a fault was found', 2: 'nothing could be verified' },
    examples: ['clawai log verify', 'clawai log verify --json'],
  },
  args: {
    json: { type: 'boolean', description: `Print one JSON object, with the first ${MOST_SHOWN} faults.` },
    ...STORE_FLAGS,
  },
  async run({ flags }) {
    const reader = await openRecorded(flags.config);
    const output = createOutput(process.stdout);
    const result = reader === undefined ? NOTHING : await verify(reader, async (fault) => printFault(fault, flags.json, output));
    reader?.close();
    const isFine = result.faults === 0 && result.events > 0;
    if (flags.json) await output.write(formatJson(result));
    else if (!(isFine && isQuiet())) await output.write(formatSummary(result));
    if (result.faults > 0) return EXIT.mismatch;
    // A record without events was not verified, so it is not intact.
    return result.events === 0 ? EXIT.usage : EXIT.ok;
  },
});

interface Verified {
  readonly events: number;
  readonly writers: number;
  readonly erased: number;
  readonly faults: number;
  /** The first of them. */
  readonly shown: readonly ChainFault[];
}

const NOTHING: Verified = { events: 0, writers: 0, erased: 0, faults: 0, shown: [] };

async function verify(reader: StoreReader, onFault: (fault: ChainFault) => Promise<void>): Promise<Verified> {
  reader.holdStill();
  const verifier = new ChainVerifier(reader.writers(), reader.checkpoints());
  const progress = new Progress('events', reader.count());
  const shown: ChainFault[] = [];
  let faults = 0;
  for (const event of reader.chained({})) {
    for (const fault of verifier.add(event)) {
      faults += 1;
      if (shown.length >= MOST_SHOWN) continue;
      shown.push(fault);
      progress.end();
      await onFault(fault);
    }
    if (verifier.events % PART > 0) continue;
    progress.show(verifier.events);
    await setImmediate();
  }
  progress.end();
  const { events, writers, erased } = verifier;
  return { events, writers, erased, faults, shown };
}

async function printFault(fault: ChainFault, json: boolean, output: Output): Promise<void> {
  if (json) return;
  const { kind, writer, n, seq, time, message } = fault;
  await output.write(`${kind}  writer ${printable(writer)}  event ${n}  seq ${seq}  ${formatTime(time)}  ${message}\n`);
}

function formatSummary({ events, writers, erased, faults, shown }: Verified): string {
  if (events === 0) return 'nothing was verified: there are no events\n';
  const lines: string[] = [];
  if (faults > shown.length) lines.push(`… and ${countOfThings(faults - shown.length, 'more fault')}`);
  const looked = `${countOfThings(events, 'event')} of ${countOfThings(writers, 'writer')}`;
  lines.push(`${looked}: ${faults === 0 ? 'intact' : countOfThings(faults, 'fault')}`);
  if (erased > 0) lines.push(`${countOfThings(erased, 'event')} whose bodies retention erased: only their chain was checked`);
  lines.push('not proven: that nobody rewrote the whole chain or removed newest events of a writer');
  return `${lines.join('\n')}\n`;
}

function formatJson({ events, writers, erased, faults, shown }: Verified): string {
  const listed = shown.map((fault) => ({ ...fault, time: isoTime(fault.time) }));
  const intact = events === 0 ? null : faults === 0;
  return prettyJson({ intact, events, writers, erased, fault_count: faults, faults: listed });
}

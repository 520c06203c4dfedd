import type { Looked } from '../../scan/scanned.ts';
import type { RegistryReader } from '../../store/reading/registry-reader.ts';
import { askYes, isPersonHere } from '../terminal/person.ts';
import { countOf } from '../terminal/layout.ts';
import { shortPath, visible } from '../terminal/text.ts';
import { clientName } from '../wrap/wrap-surroundings.ts';
import { showLaunch } from './judge-servers.ts';
import type { LookOptions } from './look-at-servers.ts';
import { findRecorded } from './recorded-server.ts';
import type { ScanTarget } from './scan-target.ts';

interface Choice {
  readonly reader: RegistryReader | undefined;
  /** True to start all servers without asking. */
  readonly isForced: boolean;
  /** True to start none. */
  readonly isOnRecord: boolean;
  readonly reporter: string;
}

/**
 * Decides which servers are started or asked: those that have run behind clawai, and the others if the person at the terminal agrees.
 * Starting a server runs its code, and asking one shows it the tokens of its entry.
 */
export async function chooseHow(
  targets: readonly ScanTarget[],
  { reader, isForced, isOnRecord, reporter }: Choice,
): Promise<LookOptions['choose']> {
  if (isOnRecord) return () => 'record';
  if (isForced) return () => 'ask';
  const unknown = targets.filter((target) => target.start.kind === 'startable' && findRecorded(reader, target) === undefined);
  const isAsked = unknown.length > 0 && reporter === 'text' && isPersonHere('scan');
  if (isAsked && (await askAbout(unknown))) return () => 'ask';
  const left: Looked & { kind: 'not' } = {
    kind: 'not',
    why: `never run behind clawai, and ${isAsked ? 'you said no' : 'nobody was there to be asked'}`,
    todo: isAsked ? 'say yes to have it started and asked' : '--start starts it',
  };
  return (_target, recorded) => (recorded === undefined ? left : 'ask');
}

function askAbout(unknown: readonly ScanTarget[]): Promise<boolean> {
  const lines = unknown.map(
    ({ name, clients, launch }) =>
      `  ${visible(name)} (${clients.map(clientName).join(', ')}): ${visible(
        showLaunch(launch)
          .map((word) => shortPath(word))
          .join(' '),
      ).slice(0, 200)}\n`,
  );
  const what = countOf(unknown.length, 'server');
  process.stdout.write(
    `These have never run behind clawai. To look at one, clawai starts it as its client does:\n${lines.join('')}`,
  );
  return askYes(`Start ${unknown.length === 1 ? 'it' : `these ${what}`}, and ask what they declare?`);
}

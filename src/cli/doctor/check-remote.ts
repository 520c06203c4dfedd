import { isLoopback } from '../../config/listen-address.ts';
import { showUrl } from '../../remote/show-url.ts';
import { groupWays, namesOf, quoteWord } from '../wrap/ways-out.ts';
import type { Standing, Standings } from '../wrap/wrap-standing.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { toFailures } from './check-settings.ts';

/** Whether remote servers can be reached through `clawai serve`, as far as anything leads to it. */
export function checkRemote({ files, remote }: Standings): readonly Check[] {
  const leading = files
    .flatMap(({ servers }) => servers)
    .filter(({ state, url }) => url !== undefined && (state === 'wrapped' || state === 'unrecorded'));
  return [
    ...checkServing(leading, remote),
    ...checkKnown(leading, remote),
    ...checkPlain(remote),
    // What is wrong with the config is said where that is looked at.
    ...(remote.error?.code.startsWith('remote_state_') === true ? toFailures('state', remote.error) : []),
  ];
}

type Remote = Standings['remote'];

function checkServing(leading: readonly Standing[], { serving }: Remote): readonly Check[] {
  if (serving.kind === 'running') {
    const { url, pid } = serving.record;
    const elsewhere = leading.filter(({ isCurrent }) => !isCurrent);
    return [
      ok('serve', `\`clawai serve\` runs at ${url} (process ${pid})`),
      ...groupWays(elsewhere).map(({ servers, commands }) => {
        const text = `the URLs of ${namesOf(servers)} lead to another address than ${url}, at which \`clawai serve\` runs`;
        return fail('serve', text, commands.length === 0 ? 'edit the entry' : commands.join(', or '));
      }),
    ];
  }
  const what = serving.kind === 'stopped' ? '`clawai serve` is not running' : `\`clawai serve\` is not well: ${serving.why}`;
  if (leading.length > 0) {
    return [fail('serve', `${what}, so nobody reaches ${namesOf(leading)}`, 'start it: clawai serve')];
  }
  return serving.kind === 'stopped'
    ? [ok('serve', `${what}, and no remote server is wrapped`)]
    : [warn('serve', what, `end process ${serving.record.pid}, and start it anew: clawai serve`)];
}

function checkKnown(leading: readonly Standing[], { routes, error }: Remote): readonly Check[] {
  // Where its memory can't be read, that is the one fault.
  if (error !== undefined) return [];
  const unknown = leading.filter(({ url = '', upstream }) => upstream === undefined && !routes.isDeclared(url));
  if (unknown.length === 0) return [];
  const text = `clawai does not remember where the URLs of ${namesOf(unknown)} lead`;
  const names = [...new Set(unknown.map(({ server }) => quoteWord(server)))].join(' ');
  return [
    fail('serve', text, `clawai unwrap ${names} gives back theirs, as far as a record has them; then: clawai wrap ${names}`),
  ];
}

/** Whoever is on the way can read what is not encrypted, and change it. */
function checkPlain({ servers }: Remote): readonly Check[] {
  return servers
    .filter(({ group, url }) => group === 'declared' && isPlain(url))
    .map(({ name, url }) =>
      warn('serve', `${name} is reached without encryption: ${showUrl(url)}`, 'declare it with an https URL'),
    );
}

function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

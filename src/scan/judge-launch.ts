import { findPackage } from './find-package.ts';
import type { FindingKind } from './finding-kinds.ts';
import type { ScanFinding, ScanLaunch } from './scanned.ts';

/** Judges how a server is started or reached, whatever it declares. */
export function judgeLaunch(launch: ScanLaunch): readonly ScanFinding[] {
  if (launch.kind === 'url') return judgeUrls([launch.url]);
  return [...judgePackage(launch.words), ...judgeUrls(launch.words.slice(1))];
}

/** Names the program of a launch, so that one program started in two ways is one. */
export function programOf(launch: ScanLaunch): string {
  if (launch.kind === 'url') return launch.url.replace(/[?#].*$/s, '');
  const [command, ...args] = launch.words;
  return findPackage(launch.words)?.name ?? [command, args.find((arg) => !arg.startsWith('-')) ?? ''].join(' ');
}

function judgePackage(words: readonly string[]): readonly ScanFinding[] {
  const found = findPackage(words);
  if (found === undefined || found.isPinned === true) return [];
  const { runner, name, isPinned, example } = found;
  if (isPinned === 'tag') {
    return [
      finding('moving-tag', {
        severity: 'low',
        subject: name,
        message: 'its tag may be another image tomorrow',
        todo: `write ${example}`,
      }),
    ];
  }
  return [
    finding('unpinned-package', {
      severity: 'medium',
      subject: name,
      message: `${runner} starts the newest version, whatever that is`,
      todo: `name the version, as in ${example}`,
    }),
  ];
}

const PRIVATE = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[?f[cde])|\.(?:local|lan|internal|home\.arpa)$/i;
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/i;

function judgeUrls(words: readonly string[]): readonly ScanFinding[] {
  return words.flatMap((word): readonly ScanFinding[] => {
    // A flag may have its URL in one word.
    const url = /^(?:--?[\w-]+=)?(http:\/\/.+)$/is.exec(word)?.[1];
    if (url === undefined || !URL.canParse(url)) return [];
    const { hostname, host } = new URL(url);
    if (LOOPBACK.test(hostname)) return [];
    return [
      finding('plain-http', {
        severity: PRIVATE.test(hostname) ? 'medium' : 'high',
        subject: host,
        message: 'reached by http://, so anybody on the way can read and change it',
        todo: 'write https://',
      }),
    ];
  });
}

/** Creates a finding of a known kind. */
export function finding(id: FindingKind, rest: Omit<ScanFinding, 'id'>): ScanFinding {
  return { id, ...rest };
}

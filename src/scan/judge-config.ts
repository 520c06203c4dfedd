import { nameOfNext } from '../core/dlp/labels.ts';
import type { SecretFinder } from '../core/dlp/find-secrets.ts';
import { quoteWord } from '../core/shell/quote-word.ts';
import { finding } from './judge-launch.ts';
import type { ScanFinding, ScanLaunch } from './scanned.ts';

/** Matches a value that the client fills in, perhaps after a word such as `Bearer`; it contains no secret. */
const REFERENCE = /^(?:[A-Za-z]+ )?(?:\$\{[^{}]*\}|\{(?:env|file):[^{}]+\}|\$[A-Za-z_]\w*|%\w+%)$/;

interface Named {
  readonly where: string;
  readonly name: string | undefined;
  readonly value: string;
}

/**
 * Finds the secrets that an entry contains in plain text. The secrets themselves are in no finding.
 *
 * @param isShared true if a team gets the file
 */
export function judgeSecrets(launch: ScanLaunch, finder: SecretFinder, isShared: boolean): readonly ScanFinding[] {
  return namedValues(launch).flatMap(({ where, name, value }): readonly ScanFinding[] => {
    if (value === '' || REFERENCE.test(value)) return [];
    const [span] = finder.find(value, name);
    if (span === undefined) return [];
    return [
      finding('secret-in-config', {
        severity: isShared ? 'high' : 'low',
        subject: where,
        message: `a secret in plain text (${span.kind.replaceAll('_', ' ')})${isShared ? ', in a file of the project' : ''}`,
        todo: isShared ? 'take it out, and revoke it' : 'let the client fill it in from the environment',
      }),
    ];
  });
}

/** The secrets that an entry contains, or that its client has filled in. */
export function secretsIn(launch: ScanLaunch, finder: SecretFinder): readonly string[] {
  return namedValues(launch).flatMap(({ name, value }) =>
    finder.find(value, name).map(({ start, end }) => value.slice(start, end)),
  );
}

function namedValues(launch: ScanLaunch): readonly Named[] {
  if (launch.kind === 'command') {
    const { words } = launch;
    const env = Object.entries(launch.env).map(([name, value]) => ({ where: name, name, value }));
    return [...env, ...words.map((word, i) => ofArgument(word, words[i - 1]))];
  }
  const headers = Object.entries(launch.headers).map(([name, value]) => ({ where: `header ${name}`, name, value }));
  return [...headers, ...ofUrl(launch.url)];
}

function ofArgument(arg: string, before: string | undefined): Named {
  const [, flag, value = arg] = /^--?([\w.-]+)=(.*)$/s.exec(arg) ?? [];
  const name = flag ?? (arg.startsWith('-') ? undefined : nameOfNext(before, 0)?.replace(/^-+/, ''));
  // A flag of one letter, such as -y, need not be about the next word.
  return { where: name === undefined || name.length === 1 ? 'an argument' : `--${name}`, name, value };
}

function ofUrl(url: string): readonly Named[] {
  const whole = { where: 'its URL', name: undefined, value: url };
  if (!URL.canParse(url)) return [whole];
  const fields = [...new URL(url).searchParams].map(([name, value]) => ({ where: `its URL (${name})`, name, value }));
  return [...fields, { ...whole, value: url.replace(/\?.*$/s, '') }];
}

/** The permissions of a config and of the folder that it is in. */
export interface FileFacts {
  /** Its path as a person may write it, `~` for the home. */
  readonly file: string;
  /** Permission bits; sticky in the folder's too. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly folder: { readonly mode: number; readonly uid: number; readonly gid: number };
  /** The user who scans. */
  readonly user: number;
}

const OTHERS_WRITE = 0o002;
const GROUP_WRITE = 0o020;
const OTHERS_READ = 0o004;
const GROUP_READ = 0o040;
const STICKY = 0o1000;

/** Judges who else can change a config, or read the secrets in it. */
export function judgeFile(facts: FileFacts, hasSecrets: boolean): readonly ScanFinding[] {
  const { file, mode, uid, folder, user } = facts;
  const found: ScanFinding[] = [];
  const writable = (message: string, todo: string): void => {
    found.push(finding('writable-config', { severity: 'high', subject: '', message, todo }));
  };
  const quoted = quoteWord(file);
  if (uid !== user && uid !== 0) {
    writable(`the file belongs to another user (${uid}), who chooses what your client starts`, `chown it, after a look at it`);
  } else if (isOpen(facts, OTHERS_WRITE, GROUP_WRITE)) {
    writable('other users can write the file, and so choose what your client starts', `chmod go-w ${quoted}`);
  } else if (folder.uid !== user && folder.uid !== 0) {
    writable(`its folder belongs to another user (${folder.uid}), who can put another file there`, 'chown the folder');
  } else if ((folder.mode & STICKY) === 0 && isOpen(folder, OTHERS_WRITE, GROUP_WRITE)) {
    writable('other users can write its folder, and so put another file there', `chmod go-w ${quoteWord(parentOf(file))}`);
  }
  if (hasSecrets && isOpen({ ...facts, mode }, OTHERS_READ, GROUP_READ)) {
    found.push(
      finding('readable-config', {
        severity: 'medium',
        subject: '',
        message: 'other users of this machine can read the secrets in it',
        todo: `chmod 600 ${quoted}`,
      }),
    );
  }
  return found;
}

/** Tells whether others have this right. A group with the owner's own number has no other members, as most systems set users up. */
function isOpen(
  { mode, uid, gid }: { readonly mode: number; readonly uid: number; readonly gid: number },
  others: number,
  group: number,
): boolean {
  return (mode & others) !== 0 || ((mode & group) !== 0 && gid !== uid);
}

function parentOf(file: string): string {
  return file.slice(0, Math.max(1, file.lastIndexOf('/')));
}

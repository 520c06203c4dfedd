import { readFileSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/config-file.ts';
import { loadFoundPolicy } from '../../config/policy-file.ts';
import { SEVERITIES, type Severity } from '../../core/finding.ts';
import { compilePolicy } from '../../core/match/compile.ts';
import { ClawaiError, EXIT } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { codeOf, toDiskError } from '../../host/disk.ts';
import { makePrivateFolder } from '../../host/make-folder.ts';
import { compareScans, type ScanChanges } from '../../scan/compare-scans.ts';
import { rankOf } from '../../scan/finding-kinds.ts';
import { formatSavedScan, parseSavedScan, type SavedScan } from '../../scan/saved-scan.ts';
import { isWhole, type Scan, type ScanFinding } from '../../scan/scanned.ts';
import { storeFile } from '../../store/private-file.ts';
import { openRegistryReader } from '../../store/reading/read-open.ts';
import { contradiction, defineCommand, usageError } from '../command.ts';
import { findPresentPolicy } from '../machine/find-present-policy.ts';
import { chooseReporter } from '../policy/annotations.ts';
import { stdoutLook } from '../terminal/colour.ts';
import { isQuiet, note } from '../terminal/notes.ts';
import { refuseAgents } from '../terminal/person.ts';
import { shortPath } from '../terminal/text.ts';
import { checkNames, lookAround, SELECTION_FLAGS, toSelection } from '../wrap/wrap-surroundings.ts';
import { lookForRemote } from '../wrap/wrap-routes.ts';
import { chooseHow } from './choose-how.ts';
import { judgeFiles } from './judge-files.ts';
import { judgeServers } from './judge-servers.ts';
import { lookAtServers } from './look-at-servers.ts';
import { findTargets, type ScanTarget } from './scan-target.ts';
import { formatGithubScan, formatJsonScan, formatSarifScan } from './scan-formats.ts';
import { formatChanges, formatScan } from './scan-text.ts';

/** Seconds for one server, in which `npx` may have to download it. */
const PATIENCE = 60;

/** `clawai scan`: judges every server in the configs of all clients. */
export const scanCommand = defineCommand({
  meta: {
    name: 'scan',
    description: 'Look at every MCP server in the configs of your clients, and say what to do about each.',
    notes: [
      'It starts each server as its client does, asks what it declares, and ends it. No tool is called. A server that has never run behind clawai is started only after you agree, or with --start. With --no-start, what servers declared last is read from the registry.',
      'It looks for hidden instructions and poor schemas in definitions, and for hints that contradict the name of their tool. It also looks for names that servers share, packages without a version, http:// URLs, secrets in configs, and configs that others can change. Nothing of it leaves this machine.',
      'What was not looked at is listed with the reason. Findings of severity low are counted, and --all lists them.',
      '--save keeps this scan, without secrets; --diff then lists only what has changed since.',
    ],
    exitCodes: {
      0: 'all was looked at, and nothing is at or above --fail-on',
      1: 'findings; with --diff, new ones, or a server or definition that changed',
      2: 'no such finding, but something was not looked at',
    },
    examples: [
      'clawai scan',
      'clawai scan --no-start',
      'clawai scan --save',
      'clawai scan --diff',
      'clawai scan --start --reporter sarif',
    ],
  },
  words: { hint: 'SERVER…', description: 'Only these servers.' },
  args: {
    client: SELECTION_FLAGS.client,
    start: { type: 'boolean', description: 'Start all servers without asking, such as in CI.' },
    'no-start': { type: 'boolean', description: 'Start none, and ask no remote one; read what is on record.' },
    timeout: { type: 'string', hint: 'SECONDS', description: `How long one server may take (${PATIENCE}).` },
    all: { type: 'boolean', description: 'List findings of severity low too.' },
    'fail-on': { type: 'enum', options: SEVERITIES, description: 'Exit with 1 from this severity on (high).' },
    save: { type: 'boolean', description: 'Keep this scan to compare the next ones with.' },
    diff: { type: 'boolean', description: 'List only what has changed since the scan that was saved.' },
    reporter: { type: 'enum', options: ['text', 'json', 'github', 'sarif'], description: 'The form of the output (text).' },
    json: { type: 'boolean', description: 'The same as --reporter json.' },
    policy: {
      type: 'string',
      hint: 'FILE',
      description: 'The policy whose [detection] to use. The default is the one that `clawai proxy` would use.',
    },
  },
  async run({ flags, words }) {
    const reporter = chooseReporter(flags);
    checkFlags(flags, reporter, words);
    if (flags.start) refuseAgents('scan --start');
    // A scan of an agent's would be what the next one is compared with.
    if (flags.save) refuseAgents('scan --save');
    const time = toMilliseconds(flags.timeout);
    const { stateDir } = await loadConfig({ env: process.env, platform: process.platform, home: homedir() });
    const savedFile = join(stateDir, 'scan.json');
    const saved = flags.diff ? readSaved(savedFile) : undefined;
    const policy = compilePolicy(await loadFoundPolicy(await findPresentPolicy(flags.policy)));
    const around = await lookAround();
    const found = findTargets(around, (await lookForRemote(true)).routes);
    checkNames(
      words,
      found.targets.map(({ name }) => name),
    );
    const { clients } = toSelection({ words, client: flags.client });
    const isChosen = (target: ScanTarget): boolean =>
      (words.length === 0 || words.includes(target.name)) &&
      (clients === undefined || target.clients.some((id) => clients.includes(id)));
    const targets = found.targets.filter(isChosen);
    const reader = openRegistryReader(storeFile(stateDir));
    try {
      const choose = await chooseHow(targets, { reader, isForced: flags.start, isOnRecord: flags['no-start'], reporter });
      const looked = await lookAtServers(targets, { reader, choose, time });
      // Shells have it so.
      if (typeof looked === 'string') return 128 + constants.signals[looked];
      const servers = judgeServers(looked, policy);
      const isAbout = ({ file, clients: readers }: (typeof found.files)[number]): boolean =>
        (words.length === 0 || servers.some(({ places }) => places.some((place) => place.file === file))) &&
        (clients === undefined || readers.some((id) => clients.includes(id)));
      const scan: Scan = { time: Date.now(), servers, files: judgeFiles(found.files.filter(isAbout), servers) };
      const changes = saved === undefined ? undefined : compareScans(saved, scan);
      const code = exitCode(scan, { changes, least: flags['fail-on'] ?? 'high' });
      process.stdout.write(format(scan, { reporter, changes, least: flags.all ? 'low' : 'medium', code }));
      if (flags.save) save(savedFile, scan);
      return code;
    } finally {
      reader?.close();
    }
  },
});

interface ScanFlags {
  readonly start: boolean;
  readonly 'no-start': boolean;
  readonly save: boolean;
  readonly diff: boolean;
  readonly client: string | undefined;
}

function checkFlags(flags: ScanFlags, reporter: string, words: readonly string[]): void {
  if (flags.start && flags['no-start']) throw contradiction('--start and --no-start');
  const isPart = words.length > 0 || flags.client !== undefined;
  const whole = flags.save ? '--save' : flags.diff ? '--diff' : undefined;
  if (whole !== undefined && isPart) throw usageError(`${whole} is about all servers`, 'leave out the names and --client');
  if (flags.diff && (reporter === 'sarif' || reporter === 'github')) throw contradiction(`--diff and --reporter ${reporter}`);
}

function toMilliseconds(flag: string | undefined): number {
  if (flag === undefined) return PATIENCE * 1000;
  const seconds = Number(flag);
  if (!(seconds > 0 && seconds <= 3600))
    throw usageError('--timeout takes a number of seconds, from 1 to 3600', 'write --timeout 30');
  return seconds * 1000;
}

function readSaved(file: string): SavedScan {
  const hint = '`clawai scan --save` keeps one';
  try {
    const saved = parseSavedScan(readFileSync(file, 'utf8'));
    if (saved !== undefined) return saved;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw usageError('no scan was saved to compare with', hint);
    throw toDiskError(error, { file, failure: 'cannot be read', code: 'inspect_unreadable' });
  }
  throw new ClawaiError('the saved scan is damaged', { code: 'inspect_unreadable', place: { file }, hint });
}

function save(file: string, scan: Scan): void {
  try {
    makePrivateFolder(join(file, '..'));
    writeAtomically(file, Buffer.from(formatSavedScan(scan)), { mode: 0o600 });
  } catch (error) {
    throw toDiskError(error, { file, failure: 'cannot be written', code: 'wrap_state_unwritable' });
  }
  note(`saved in ${shortPath(file)}`);
}

interface Formatting {
  readonly reporter: 'text' | 'json' | 'github' | 'sarif';
  readonly changes: ScanChanges | undefined;
  readonly least: Severity;
  readonly code: number;
}

function format(scan: Scan, { reporter, changes, least, code }: Formatting): string {
  if (reporter === 'json') return formatJsonScan(scan, changes);
  if (reporter === 'sarif') return formatSarifScan(scan, process.cwd());
  if (reporter === 'github') return formatGithubScan(scan, process.cwd());
  if (isQuiet() && code === EXIT.ok) return '';
  const look = stdoutLook();
  if (changes !== undefined) return formatChanges(changes, scan, { look, least, now: Date.now() });
  return formatScan(scan, { look, least });
}

function exitCode(
  scan: Scan,
  { changes, least }: { readonly changes: ScanChanges | undefined; readonly least: Severity },
): number {
  const isBad = ({ severity }: ScanFinding): boolean => rankOf(severity) >= rankOf(least);
  const findings =
    changes === undefined
      ? [...scan.servers, ...scan.files].flatMap((each) => each.findings)
      : [...changes.servers, ...changes.files].flatMap(({ newFindings }) => newFindings);
  const hasChanged = changes?.servers.some(({ status, changed }) => status === 'relaunched' || changed.length > 0) === true;
  if (hasChanged || findings.some(isBad)) return EXIT.mismatch;
  return isWhole(scan) ? EXIT.ok : EXIT.usage;
}

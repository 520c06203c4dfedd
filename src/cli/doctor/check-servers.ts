import { existsSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import { loadPolicy } from '../../config/policy-file.ts';
import { maskCommand } from '../../wrap/files/mask-config.ts';
import type { SkipReason } from '../../wrap/remote-answer.ts';
import { parseWrappedCommand } from '../../wrap/wrapped-command.ts';
import { shortPath } from '../terminal/text.ts';
import { groupWays, namesOf } from '../wrap/ways-out.ts';
import { quoteWord } from '../../core/shell/quote-word.ts';
import { SKIP_REASONS } from '../wrap/wrap-report.ts';
import { namesWithClients } from '../wrap/wrap-surroundings.ts';
import { isDenied, isOpen, isUnseen, type Standing, type StandingFile, type Standings } from '../wrap/wrap-standing.ts';
import { toFailures } from './check-settings.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { desktopFolders, findProgram, isProgram } from './check-installation.ts';

/** Checks the servers that clients start, and what our records say of them. */
export async function checkServers({ files }: Standings): Promise<readonly Check[]> {
  const servers = files.flatMap((file) => file.servers);
  const wrapped = servers.filter(({ state }) => state === 'wrapped' || state === 'unrecorded');
  const weak = servers.filter((server) => server.weakness !== undefined && isOpen(server));
  const open = servers.filter(
    (server) => isOpen(server) && server.weakness === undefined && server.state !== 'drifted' && !isFromServer(server),
  );
  return [
    ok(
      'servers',
      `${servers.length} in ${files.length} config${files.length === 1 ? '' : 's'}, ${wrapped.length} of them wrapped`,
    ),
    ...groupWays(open).map(({ servers: group, commands }) =>
      warn('servers', `not wrapped: ${namesOf(group)}`, todoOf(commands, group[0]?.why)),
    ),
    ...servers.flatMap(checkLeft),
    ...checkOwned(servers),
    ...weak.map(checkWeak),
    ...servers.flatMap(checkRefused),
    ...files.flatMap(checkFile),
    ...checkEdited(servers),
    ...checkSeen(wrapped),
    ...wrapped.flatMap(checkLauncher),
    ...wrapped.flatMap(checkCommand),
    ...(await checkPolicies(wrapped)),
  ];
}

/** Clawai stands in front of it and holds another policy than yours, or none: worse than not wrapped, since it looks protected. */
function checkWeak(standing: Standing): Check {
  const { server, file, weakness } = standing;
  const commands = groupWays([standing]).flatMap((way) => way.commands);
  return fail('servers', `${server} in ${shortPath(file)} is not enforced: ${weakness}`, todoOf(commands));
}

function todoOf(commands: readonly string[], why?: string): string {
  return commands.length === 0 ? `edit the entry${why === undefined ? '' : `: ${why}`}` : commands.join(', or ');
}

/** Reports a server that its client starts, but whose calls are all denied. */
function checkRefused(standing: Standing): readonly Check[] {
  const { server, file, refusal } = standing;
  if (refusal === undefined || !isDenied(standing)) return [];
  return [fail('trust', `every call of ${server} in ${shortPath(file)} is denied: ${refusal.why}`, refusal.command)];
}

/** Reasons that `clawai wrap` has from the server itself. */
const FROM_SERVERS: readonly (SkipReason | undefined)[] = ['login', 'unreachable'];

function isFromServer({ state, obstacle }: Standing): boolean {
  return state === 'remote' && FROM_SERVERS.includes(obstacle);
}

function checkLeft(standing: Standing): readonly Check[] {
  const { server, file, obstacle } = standing;
  if (obstacle === undefined || !isFromServer(standing)) return [];
  const [command] = groupWays([standing]).flatMap(({ commands }) => commands);
  return [warn('servers', `${server} in ${shortPath(file)} is reached without clawai: ${SKIP_REASONS[obstacle]}`, command)];
}

/** Names the servers in files that are not the user's to edit. */
function checkOwned(servers: readonly Standing[]): readonly Check[] {
  const owned = servers.filter(({ state }) => state === 'unwrapped' || state === 'remote');
  return (['managed', 'plugin-cache', 'allow-list'] as const).flatMap((reason) => {
    const group = owned.filter(({ obstacle }) => obstacle === reason);
    return group.length === 0 ? [] : [warn('servers', `not wrapped: ${namesWithClients(group)}`, SKIP_REASONS[reason])];
  });
}

function checkFile({ file, error, problems, isRecordDamaged, isGone }: StandingFile): readonly Check[] {
  const path = shortPath(file);
  if (isGone) {
    return [warn('state', `${path} was wrapped and is gone`, 'clawai unwrap --all forgets it, and unwraps all others')];
  }
  if (error !== undefined) return [warn('configs', error.message, error.hint)];
  const [first] = problems;
  const found: Check[] = [];
  if (first !== undefined) {
    const { line, column, message } = first.problem;
    found.push(
      warn(
        'configs',
        `${path}:${line}:${column}: ${message}; its client starts nothing from it, and it is never edited`,
        'correct it, then: clawai wrap --all',
      ),
    );
  }
  if (isRecordDamaged) {
    found.push(warn('state', `the record of ${path} is damaged; \`clawai unwrap\` goes by the command lines instead`));
  }
  return found;
}

function checkEdited(servers: readonly Standing[]): readonly Check[] {
  const drifted = servers.filter(({ state }) => state === 'drifted');
  const gone = servers.filter(({ state }) => state === 'gone');
  // Entries with a URL are checked with `clawai serve`.
  const old = servers.filter(({ isCurrent, url }) => !isCurrent && url === undefined);
  const checks: Check[] = [];
  for (const { servers: group, commands } of groupWays(drifted)) {
    const text = `wrapped once, and given another command or URL since: ${namesOf(group)}`;
    checks.push(warn('edited', text, todoOf(commands)));
  }
  if (gone.length > 0) {
    const text = `wrapped once, and removed since: ${namesOf(gone)}`;
    checks.push(warn('state', text, todoOfGone(gone, servers)));
  }
  for (const { servers: group, commands } of groupWays(old)) {
    checks.push(warn('edited', `they start another clawai than this one: ${namesOf(group)}`, todoOf(commands)));
  }
  return checks;
}

/** Forgetting is a part of unwrapping, which must not take in another server of that name. */
function todoOfGone(gone: readonly Standing[], servers: readonly Standing[]): string | undefined {
  const names = new Set(gone.map(({ server }) => server));
  const isElsewhere = servers.some(({ server, state }) => names.has(server) && (state === 'wrapped' || state === 'unrecorded'));
  return isElsewhere ? undefined : `clawai unwrap ${[...names].map(quoteWord).join(' ')} forgets them`;
}

/** A proxy that nobody ever runs protects nothing, and nothing else would show it. */
function checkSeen(wrapped: readonly Standing[]): readonly Check[] {
  const unseen = wrapped.filter((server) => isUnseen(server) && !server.isDisabled);
  if (unseen.length === 0) return [];
  return [warn('seen', `wrapped, and never seen: ${namesWithClients(unseen)}`, 'restart their clients, and use them once')];
}

/** Checks that the launcher before `proxy` exists: without it the client can't start the server. */
function checkLauncher({ server, file, command }: Standing): readonly Check[] {
  if (command === undefined) return [];
  const words = parseWrappedCommand(command)?.launcher ?? [];
  const [program = '', entry] = words;
  const missing = [
    isFound(program) ? undefined : program,
    entry !== undefined && isAbsolute(entry) && !existsSync(entry) ? entry : undefined,
  ];
  return missing
    .filter((path) => path !== undefined)
    .map((path) =>
      fail('command', `${server} in ${shortPath(file)} starts ${path}, which is missing`, todoOfMissing(path, server)),
    );
}

/** Wrapping again would write the same where every machine is to find it by its name. */
function todoOfMissing(program: string, server: string): string {
  if (program === 'clawai') return 'npm install --global clawai';
  return program === 'npx' ? 'install Node.js, which brings npx' : `clawai wrap ${server}`;
}

function checkCommand({ server, file, command }: Standing): readonly Check[] {
  const program = command === undefined ? undefined : parseWrappedCommand(command)?.server.command;
  // Clients fill in their own variables, which we can't.
  if (program === undefined || program.includes('${') || program.startsWith('~') || isFound(program)) return [];
  return [
    warn(
      'command',
      `the command of ${server} in ${shortPath(file)} is not found: ${maskCommand({ command: program, args: [] }).command}`,
      'install it, or name it by its absolute path',
    ),
  ];
}

/** Looks for a program by its path, or by name in the folders of this shell or of desktop apps. A relative path counts as found. */
function isFound(program: string): boolean {
  if (isAbsolute(program)) return process.platform === 'win32' || isProgram(program);
  if (/[\\/]/.test(program) || process.platform === 'win32') return true;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return findProgram(program, [...folders, ...desktopFolders(process.platform)]) !== undefined;
}

async function checkPolicies(wrapped: readonly Standing[]): Promise<readonly Check[]> {
  const files = new Set(wrapped.map(({ policy }) => policy).filter((policy) => policy !== undefined));
  const checks = await Promise.all([...files].map(checkNamed));
  return checks.flat();
}

async function checkNamed(file: string): Promise<readonly Check[]> {
  try {
    await loadPolicy(file);
    return [];
  } catch (error) {
    return toFailures('policy', error);
  }
}

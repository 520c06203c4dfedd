import { join } from 'node:path';
import { isAbsolute } from 'node:path/posix';
import { quoteWord } from '../../../core/shell/quote-word.ts';
import { ClawaiError } from '../../../errors.ts';
import type { Machine } from '../../../host/directories.ts';

/** The words for a program's command line; the first is the program. */
type Words = readonly [string, ...string[]];

/** The way in which the system starts `clawai serve` when its user logs in. */
export interface Autostart {
  /** The file that tells the system. */
  readonly file: string;
  readonly text: string;
  /** Tells whether another text of that file is clawai's: of another version, or edited by hand since. */
  readonly isOurs: (text: string) => boolean;
  /** Command lines that make the system read the file and start `serve`; and that stop it, before the file is removed. */
  readonly install: readonly Words[];
  readonly uninstall: readonly Words[];
  /** Exits with 0 if `serve` was started by the system and still runs. */
  readonly isActive: Words;
  /** The command that shows what `serve` has said, for people. */
  readonly log: string;
}

const UNIT = 'clawai.service';
const CONTROL = /\p{Cc}/u;
const LABEL = 'dev.clawai.serve';

/** The first lines of each unit of ours. */
const UNIT_HEAD = '[Unit]\nDescription=clawai serve, in front of remote MCP servers\n';

/** Variables that decide where clawai finds its files. At login, they are not those of a shell. */
const PLACES = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'NODE_EXTRA_CA_CERTS'];

/** Variables that decide by which proxy servers are reached, in either case. They may have a password, and the file is for its user alone. */
const PROXIES = ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);

export interface AutostartOptions extends Machine {
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  /** The command line of `clawai serve`, with absolute paths. */
  readonly command: readonly string[];
  readonly stateDir: string;
}

/** The file that makes the system start `serve` at login; undefined where clawai knows none. */
export function autostartFile({ platform, home, env }: Machine): string | undefined {
  if (platform === 'darwin') return join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  if (platform !== 'linux') return undefined;
  const config = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(config) ? config : join(home, '.config'), 'systemd', 'user', UNIT);
}

/**
 * Finds out how this system starts programs at login: systemd on Linux, launchd on macOS; undefined elsewhere.
 *
 * @throws ClawaiError `usage` if a path has a control character: a line break would begin a line of its own in the file
 */
export function autostartOn(options: AutostartOptions): Autostart | undefined {
  const { platform, uid = 0, stateDir } = options;
  const file = autostartFile(options);
  if (file === undefined) return undefined;
  const odd = [...options.command, ...variablesOf(options).map(([, value]) => value)].find((word) => CONTROL.test(word));
  if (odd !== undefined)
    throw new ClawaiError(`clawai cannot be started at login with ${JSON.stringify(odd)}: it has a control character`, {
      code: 'usage',
      hint: 'use a path or a variable without one',
    });
  if (platform === 'linux') {
    const user = ['systemctl', '--user'] as const;
    return {
      file,
      text: unitText(options),
      isOurs: (text) => text.startsWith(UNIT_HEAD),
      install: [
        [...user, 'daemon-reload'],
        [...user, 'enable', UNIT],
        [...user, 'restart', UNIT],
      ],
      uninstall: [[...user, 'disable', '--now', UNIT]],
      isActive: [...user, 'is-active', '--quiet', UNIT],
      log: `journalctl --user -u ${UNIT}`,
    };
  }
  const log = join(stateDir, 'serve.log');
  return {
    file,
    text: propertyList(options, log),
    isOurs: (text) => text.includes(`<string>${LABEL}</string>`) && text.includes('<string>serve</string>'),
    install: [
      ['launchctl', 'enable', `gui/${uid}/${LABEL}`],
      ['launchctl', 'bootstrap', `gui/${uid}`, file],
    ],
    uninstall: [['launchctl', 'bootout', `gui/${uid}/${LABEL}`]],
    isActive: ['launchctl', 'print', `gui/${uid}/${LABEL}`],
    log: `tail ${quoteWord(log)}`,
  };
}

function variablesOf({ env }: Pick<Machine, 'env'>): readonly [string, string][] {
  const valueOf = (name: string): string => env[name] ?? '';
  const names = [...PLACES.filter((name) => isAbsolute(valueOf(name))), ...PROXIES.filter((name) => valueOf(name) !== '')];
  return names.map((name) => [name, valueOf(name)]);
}

/** The URLs that `serve` prints have secrets in them, so its stdout goes nowhere. */
function unitText({ command, ...machine }: AutostartOptions): string {
  // After a colon, systemd puts no variables in; before version 244, it knows no colon.
  const isPlain = command.every((word) => !word.includes('$'));
  return [
    UNIT_HEAD,
    '[Service]',
    'Type=exec',
    `ExecStart=${isPlain ? '' : ':'}${command.map(quoteUnit).join(' ')}`,
    ...variablesOf(machine).map(([name, value]) => `Environment=${quoteUnit(`${name}=${value}`)}`),
    'StandardOutput=null',
    'StandardError=journal',
    'UMask=0077',
    'Restart=on-failure',
    'RestartSec=2',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** Quotes a word for a unit file, in which `%` has a meaning. */
function quoteUnit(word: string): string {
  return `"${word.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`;
}

function propertyList({ command, ...machine }: AutostartOptions, log: string): string {
  const text = (value: string): string => `<string>${escapeXml(value)}</string>`;
  const variables = variablesOf(machine);
  const environment = ['  <key>EnvironmentVariables</key>', '  <dict>'];
  for (const [name, value] of variables) environment.push(`    <key>${name}</key>${text(value)}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>${text(LABEL)}`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...command.map((word) => `    ${text(word)}`),
    '  </array>',
    ...(variables.length === 0 ? [] : [...environment, '  </dict>']),
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
    `  <key>StandardErrorPath</key>${text(log)}`,
    '  <key>Umask</key><integer>63</integer>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

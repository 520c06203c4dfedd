import { readFileSync } from 'node:fs';
import { EXIT } from '../../errors.ts';
import { contradiction, defineCommand, usageError } from '../command.ts';
import { note } from '../terminal/notes.ts';
import { refuseAgents } from '../terminal/person.ts';
import { keptLogins, loginStates } from './login-state.ts';
import { findManaged, loadLogins } from './managed-servers.ts';

const MOST_PORT = 65_535;

/** `clawai login`: logs in to a remote server in place of its clients. */
export const loginCommand = defineCommand({
  meta: {
    name: 'login',
    description: 'Log in to a remote server by OAuth. clawai keeps the tokens and sends them; clients and agents never see them.',
    notes: [
      'It is for servers with auth = "managed": under [[servers]] in config.toml, or wrapped with `clawai wrap --login`.',
      'Your browser opens the page of the authorization server, after you have seen its name. Without a browser, clawai prints the address. Open it anywhere, and paste the address that you end at.',
      'Tokens lie in the keychain of the system. Without one, they lie in a file in the state folder that only you may read.',
    ],
    exitCodes: { 1: 'you said no', 2: 'the login failed, and nothing was stored' },
    examples: ['clawai login docs', 'clawai login docs --no-browser', 'clawai login --list'],
  },
  words: { hint: 'SERVER', description: 'The name of a server, or its URL.' },
  args: {
    'client-id': { type: 'string', hint: 'ID', description: 'The client that you have registered for clawai.' },
    'client-secret-file': { type: 'string', hint: 'FILE', description: 'A file with the secret of that client.' },
    scope: { type: 'string', hint: 'SCOPES', description: 'The scopes to ask for, separated by spaces.' },
    'authorization-server': {
      type: 'string',
      hint: 'URL',
      description: 'The authorization server to log in at, if the server names several. The default is the first.',
    },
    port: {
      type: 'string',
      hint: 'PORT',
      description: 'Wait for the answer at this port of 127.0.0.1, with the path /callback.',
    },
    'no-browser': { type: 'boolean', description: 'Print the address, and read the answer from stdin.' },
    list: { type: 'boolean', description: 'List all logins.' },
    json: { type: 'boolean', description: 'Print them as one JSON object.' },
    config: { type: 'string', hint: 'FILE', description: 'The config with the servers.' },
  },
  async run({ flags, words }) {
    const [word, ...others] = words;
    if (flags.list && word !== undefined) throw contradiction('--list and the name of a server');
    if (flags.list) {
      const { formatLoginStates } = await import('./list-logins.ts');
      const { store, servers } = await loadLogins(flags.config);
      process.stdout.write(formatLoginStates([...loginStates(store, servers), ...keptLogins(store, servers)], flags.json));
      return EXIT.ok;
    }
    if (flags.json) throw usageError('--json is for --list', 'leave it out');
    if (word === undefined || others.length > 0) {
      throw usageError('say which server to log in to', '`clawai login --list` shows those that there are');
    }
    const { 'client-id': id, 'client-secret-file': secretFile } = flags;
    if (secretFile !== undefined && id === undefined) throw usageError('--client-secret-file needs --client-id', 'give both');
    const options = {
      client: id === undefined ? undefined : { id, secret: secretFile === undefined ? undefined : readSecret(secretFile) },
      scope: flags.scope,
      authorizationServer: flags['authorization-server'],
      port: readPort(flags.port),
      isBrowserUsed: !flags['no-browser'],
    };
    refuseAgents('login');
    const logins = await loadLogins(flags.config);
    const server = findManaged(logins, word);
    const { logIn } = await import('./log-in.ts');
    if (await logIn(logins.store, server, options)) return EXIT.ok;
    note('nothing was done');
    return EXIT.mismatch;
  },
});

function readPort(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port > 0 && port <= MOST_PORT) return port;
  throw usageError('--port must be a number from 1 to 65535', 'give the port of the address that you have registered');
}

function readSecret(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(`--client-secret-file cannot be read: ${why}`, 'give a file with nothing but the secret');
  }
  if (text === '') throw usageError(`${file} has no secret`, 'give a file with nothing but the secret');
  return text;
}

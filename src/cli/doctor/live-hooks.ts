import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { makePrivateFolder } from '../../host/make-folder.ts';
import { startProgram } from '../../host/start-program.ts';
import { type HookStanding, readHooks } from '../../wrap/hooks/read-hooks.ts';
import { hookSurroundings } from '../wrap/hooks.ts';
import { VERSION } from '../machine/version.ts';
import { findProgram } from './check-installation.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { type MockApi, MockModel } from './mock-model.ts';

/** Milliseconds that a client may take for its two turns. */
const PATIENCE = 60_000;

/** The text by which each denial begins. */
const DENIED = 'clawai denied';

interface Client {
  readonly program: string;
  readonly api: MockApi;
  readonly tool: string;
  /** The name of the argument that is the command. */
  readonly key: string;
  readonly words: (url: string) => readonly string[];
  /** @param folder of the user's, for files that the client needs */
  readonly env: (url: string, folder: string) => Readonly<Record<string, string>>;
}

const PROMPT = 'Leave a mark.';

/** The clients that can be started without a window, so that they ask a model on this machine and no other. */
const CLIENTS: ReadonlyMap<string, Client> = new Map([
  [
    'claude-code',
    {
      program: 'claude',
      api: 'messages',
      tool: 'Bash',
      key: 'command',
      words: () => ['-p', PROMPT, '--allowedTools', 'Bash'],
      env: (url) => ({
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'sk-ant-of-clawai-doctor',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      }),
    },
  ],
  [
    'codex',
    {
      program: 'codex',
      api: 'responses',
      tool: 'exec_command',
      key: 'cmd',
      words: (url) => [
        'exec',
        '--skip-git-repo-check',
        '-c',
        `model_providers.clawai_doctor={name="clawai doctor",base_url="${url}/v1",wire_api="responses"}`,
        '-c',
        'model_provider="clawai_doctor"',
        '-c',
        'approval_policy="never"',
        PROMPT,
      ],
      env: () => ({}),
    },
  ],
  [
    'gemini-cli',
    {
      program: 'gemini',
      api: 'gemini',
      tool: 'run_shell_command',
      key: 'command',
      words: () => ['--approval-mode', 'yolo', '-p', PROMPT],
      env: (url, folder) => ({
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_API_KEY: 'AIza-of-clawai-doctor',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_TELEMETRY_ENABLED: 'false',
        // With a login of Google's, it would ask Google. It reads no such file below a folder that everybody may write to.
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: writeText(
          join(folder, 'system.json'),
          '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
        ),
      }),
    },
  ],
  [
    'copilot-cli',
    {
      program: 'copilot',
      api: 'chat',
      tool: 'bash',
      key: 'command',
      words: () => ['-p', PROMPT, '--allow-all-tools', '--no-color'],
      env: (url) => ({
        COPILOT_OFFLINE: 'true',
        COPILOT_MODEL: 'm',
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_API_KEY: 'key-of-clawai-doctor',
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      }),
    },
  ],
  [
    'opencode',
    {
      program: 'opencode',
      api: 'messages',
      tool: 'bash',
      key: 'command',
      words: () => ['run', '-m', 'anthropic/claude-sonnet-4-5', PROMPT],
      env: (url) => ({
        ANTHROPIC_API_KEY: 'sk-ant-of-clawai-doctor',
        // Counts more than what the user's files say.
        OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { anthropic: { options: { baseURL: `${url}/v1` } } } }),
        OPENCODE_DISABLE_AUTOUPDATE: 'true',
      }),
    },
  ],
]);

/**
 * Proves the hooks that are installed: each client is started with a model on this machine, which calls its shell tool with a command that
 * every policy denies. It must not be run, and the model must be told why.
 */
export async function proveHooks(): Promise<readonly Check[]> {
  const around = hookSurroundings({ version: VERSION });
  const installed = readHooks(around).filter(({ state }) => state !== 'none');
  const checks: Check[] = [];
  for (const standing of installed) checks.push(await proveHook(standing, around.records.path));
  return checks;
}

async function proveHook({ place, off }: HookStanding, ownFolder: string): Promise<Check> {
  const about = `hook of ${place.name}`;
  if (off !== undefined) return fail(about, `${off} switches it off`, 'remove that setting');
  const client = CLIENTS.get(place.client);
  const program = client && findProgram(client.program, (process.env['PATH'] ?? '').split(delimiter));
  if (client === undefined)
    return warn(about, 'it cannot be proved without its window', 'have it run a command that your policy denies');
  if (program === undefined) return warn(about, `${client.program} is not in the PATH, so that nothing was proved`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-doctor-')));
  makePrivateFolder(ownFolder);
  const settings = mkdtempSync(join(ownFolder, 'doctor-'));
  const marker = join(folder, 'marker');
  // The command changes nothing if it is run. No policy can allow it.
  const model = new MockModel(client.api, {
    tool: client.tool,
    args: { [client.key]: `clawai wrap --help; echo ran > ${marker}`, description: PROMPT },
  });
  try {
    const url = await model.listen();
    const env = { ...process.env, ...client.env(url, settings) };
    const started = await startProgram(program, client.words(url), { env, cwd: folder, stdio: 'ignore', timeout: PATIENCE });
    await started.ended;
    if (!model.hasCalled)
      return warn(about, `${client.program} did not ask the model that was to try it`, `see that \`${client.program}\` starts`);
    if (existsSync(marker))
      return fail(about, 'a command that clawai denies was run', place.notes[0] ?? 'run `clawai wrap --hooks`');
    return model.wasTold(DENIED)
      ? ok(about, 'a command that clawai denies was not run, and the model was told why')
      : fail(
          about,
          'the hook was not asked about a command, which failed for another reason',
          place.notes[0] ?? 'run `clawai wrap --hooks`',
        );
  } finally {
    model.close();
    for (const made of [folder, settings]) rmSync(made, { recursive: true, force: true });
  }
}

function writeText(file: string, text: string): string {
  writeFileSync(file, text);
  return file;
}

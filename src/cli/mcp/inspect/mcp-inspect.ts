import { homedir } from 'node:os';
import { loadConfig } from '../../../config/config-file.ts';
import { loadFoundPolicy } from '../../../config/policy-file.ts';
import { readRemoteUrl } from '../../../config/addresses.ts';
import { compilePolicy, type CompiledPolicy } from '../../../core/match/compile.ts';
import { createDetector } from '../../../core/detect/create-detector.ts';
import { ClawaiError, EXIT } from '../../../errors.ts';
import { deriveServerName } from '../../../session/server-name.ts';
import { stdoutLook } from '../../terminal/colour.ts';
import { defineCommand } from '../../command.ts';
import { findPresentPolicy } from '../../machine/find-present-policy.ts';
import { describeInspected, inspectedJson, Inspector, type Inspected } from './inspector.ts';
import type { ItemGroup } from './items.ts';
import { listReached, listStarted, type RemoteTarget } from './live-server.ts';
import { readGroups } from './read-documents.ts';
import { Summary } from './summary.ts';
import { isQuiet, note, Progress, withProgress, warn } from '../../terminal/notes.ts';
import { createOutput, checkStdin, nameOfFile } from '../../terminal/streams.ts';
import { escapeUnprintable, printable, visible } from '../../terminal/text.ts';

/** `clawai mcp inspect`: what detection finds in definitions, results or a server, without anything being wrapped. */
export const mcpInspectCommand = defineCommand({
  meta: {
    name: 'mcp inspect',
    description: 'Scan what a server declares, or what a tool answered, for hidden instructions.',
    notes: [
      "FILE is one definition, an array of them, the answer to tools/list, or one of these a line (JSON Lines). With --kind result, it is the result of a call (any JSON value or a text), or one a line. An array or a list counts as one server's; each line stands for itself.",
      'A server is asked for everything that it declares, and then ended. No tool is called.',
      'Patterns find known attacks, not all of them. No finding proves nothing.',
    ],
    exitCodes: { 0: "nothing at or above the policy's threshold", 1: 'findings', 2: 'something could not be inspected' },
    examples: [
      'clawai mcp inspect tools.json',
      'clawai mcp inspect --server https://mcp.example.com/mcp',
      'clawai mcp inspect -- npx -y @modelcontextprotocol/server-memory',
      'clawai mcp inspect --kind result --json answers.jsonl',
    ],
  },
  args: {
    kind: { type: 'enum', options: ['definition', 'result'], description: 'The content of FILE (definition).' },
    server: { type: 'string', hint: 'URL', description: 'Inspect a remote server, by its URL or its id in config.toml.' },
    policy: {
      type: 'string',
      hint: 'FILE',
      description: 'The policy whose [detection] to use. The default is the one that `clawai proxy` would use.',
    },
    config: { type: 'string', hint: 'FILE', description: 'The config that declares the server.' },
    json: { type: 'boolean', description: 'Print one JSON object a line for each thing, in order.' },
  },
  words: { hint: 'FILE', description: 'The file to inspect; - is stdin.' },
  rest: {
    hint: 'CMD [ARG…]',
    what: "the server's command",
    description: 'Start a server with this command, and inspect it.',
    isOptional: true,
  },
  async run({ flags, words, rest }) {
    const target = toTarget({ flags, words, rest });
    if (flags.config !== undefined && (target.kind !== 'server' || isUrl(target.named)))
      throw usage('--config is about a server that it declares', 'name that with --server ID, or leave it out');
    checkStdin({ '--policy': flags.policy, FILE: words[0] });
    const policy = compilePolicy(await loadFoundPolicy(await findPresentPolicy(flags.policy)));
    const groups = target.kind === 'file' ? readGroups(target.file, target.holds) : listLive(target, flags.config);
    const summary = await inspectAll(groups, policy, flags.json);
    const line = `${printable(labelOf(target))}: ${summary.line()}`;
    const isFine = !summary.isEmpty && !summary.isPartial && !summary.hasFindings;
    if (!flags.json && !(isFine && isQuiet())) process.stdout.write(`${line}\n`);
    else if (flags.json && (summary.isEmpty || summary.isPartial)) warn(line);
    if (summary.hasFindings) return EXIT.mismatch;
    return summary.isPartial ? EXIT.usage : EXIT.ok;
  },
});

type Target =
  | { readonly kind: 'file'; readonly file: string; readonly holds: 'definition' | 'result' }
  | { readonly kind: 'server'; readonly named: string }
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] };

function labelOf(target: Target): string {
  if (target.kind === 'command') return deriveServerName(target.command[0], target.command.slice(1));
  if (target.kind === 'server') return target.named;
  return nameOfFile(target.file);
}

interface Given {
  readonly flags: { readonly server: string | undefined; readonly kind: 'definition' | 'result' | undefined };
  readonly words: readonly string[];
  readonly rest: readonly string[];
}

function toTarget({ flags: { server, kind }, words, rest }: Given): Target {
  const [file, ...others] = words;
  const [command, ...args] = rest;
  const count = [file, server, command].filter((given) => given !== undefined).length + others.length;
  if (count !== 1) {
    throw usage(
      count === 0 ? 'clawai mcp inspect takes a FILE, --server URL or -- CMD' : 'clawai mcp inspect looks at one thing at a time',
      'see clawai help mcp inspect',
    );
  }
  if (kind === 'result' && file === undefined) throw usage('--kind result is for a FILE', 'what servers declare are definitions');
  if (file !== undefined) return { kind: 'file', file, holds: kind ?? 'definition' };
  return command === undefined ? { kind: 'server', named: server ?? '' } : { kind: 'command', command: [command, ...args] };
}

async function* listLive(target: Exclude<Target, { kind: 'file' }>, config: string | undefined): AsyncGenerator<ItemGroup> {
  yield await withProgress(
    'asking the server',
    target.kind === 'command'
      ? listStarted(target.command)
      : findRemote(target.named, config).then((remote) => listReached(remote)),
  );
}

function isUrl(named: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(named);
}

async function findRemote(named: string, config: string | undefined): Promise<RemoteTarget> {
  if (isUrl(named)) {
    const read = readRemoteUrl(named);
    if (!read.ok) throw usage(`--server ${read.problem}`, read.hint);
    return { name: new URL(read.url).host, url: read.url, headers: {} };
  }
  const { servers } = await loadConfig({ flag: config, env: process.env, platform: process.platform, home: homedir() });
  const declared = servers.find(({ id }) => id === named);
  if (declared === undefined) {
    throw usage(
      `--server: ${JSON.stringify(named)} is no URL, and no server of that id is declared in config.toml`,
      'write https://…; what a wrapped server has listed is in clawai mcp registry list',
    );
  }
  // The headers are secrets for the pinned key alone, which only `clawai serve` checks.
  if (declared.tlsFingerprint !== undefined) {
    throw usage(
      `the server ${JSON.stringify(named)} is declared with tls_fingerprint, which is not looked at here`,
      'start clawai serve, which lists it, and see clawai mcp registry list',
    );
  }
  return { name: declared.id, url: declared.url, headers: declared.headers };
}

async function inspectAll(groups: AsyncIterable<ItemGroup>, policy: CompiledPolicy, isJson: boolean): Promise<Summary> {
  const inspector = new Inspector(policy, createDetector);
  const { enabled, threshold } = policy.policy.detection;
  const summary = new Summary(threshold);
  const output = createOutput(process.stdout);
  const format = isJson ? jsonFormat() : textFormat();
  if (!enabled) note('the policy has detection switched off; this looks all the same');
  const progress = new Progress('things looked at');
  for await (const group of groups) {
    const all = inspector.look(group);
    for (const inspected of all) summary.add(inspected);
    summary.skip(group.skipped);
    for (const { what, why } of group.skipped) warn(`not looked at: ${visible(what)} ${visible(why)}`);
    progress.show(summary.count);
    const text = all.map(format).join('');
    if (text !== '') progress.end();
    await output.write(text);
    if (!output.isOpen) break;
  }
  progress.end();
  return summary;
}

function jsonFormat(): (inspected: Inspected) => string {
  const shown = (line: string): string => (process.stdout.isTTY ? escapeUnprintable(line) : line);
  return (inspected) => `${shown(inspectedJson(inspected))}\n`;
}

function textFormat(): (inspected: Inspected) => string {
  const look = stdoutLook();
  return (inspected) =>
    describeInspected(inspected, look)
      .map((line) => `${line}\n`)
      .join('');
}

function usage(message: string, hint: string | undefined): ClawaiError {
  return new ClawaiError(message, { code: 'usage', hint });
}

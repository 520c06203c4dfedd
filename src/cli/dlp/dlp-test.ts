import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { loadFoundPolicy } from '../../config/policy-file.ts';
import { createSecretFinder } from '../../core/dlp/find-secrets.ts';
import { ClawaiError, EXIT } from '../../errors.ts';
import { defineCommand } from '../command.ts';
import { findPresentPolicy, POLICY_FLAG, shippedNote } from '../machine/find-present-policy.ts';
import { countOf } from '../terminal/layout.ts';
import { note } from '../terminal/notes.ts';
import { checkStdin, createOutput, nameOfFile, readStdin } from '../terminal/streams.ts';
import { printable } from '../terminal/text.ts';
import { findInText, type FoundSecret } from './find-in-text.ts';

/** Findings that are printed at once. */
const PORTION = 1000;

/** `clawai dlp test`: what the policy counts as a secret in a file, and what would become of it. */
export const dlpTestCommand = defineCommand({
  meta: {
    name: 'dlp test',
    description: 'Show what the policy counts as secrets in files, and what would happen to them. It shows no secret.',
    notes: [
      'A file of JSON is read string by string, as the arguments of a call or a request to a model are. Any other file is one text.',
      '"arguments" is what happens to a call with the secret in its arguments, and "requests" what happens in a request to a model. Rules decide about the call besides.',
    ],
    exitCodes: { 0: 'no secrets', 1: 'there are some', 2: 'a file or the policy cannot be read' },
    examples: ['clawai dlp test notes.txt', 'clawai dlp test request.json --json', 'clawai dlp test - --server github'],
  },
  args: {
    policy: POLICY_FLAG,
    server: { type: 'string', hint: 'NAME', description: 'Show what happens to calls of this server, or of "native".' },
    json: { type: 'boolean', description: 'Print JSON.' },
  },
  words: { hint: 'FILE…', isRequired: true, description: 'The files, or - for stdin.' },
  async run({ flags, words }) {
    checkStdin({ '--policy': flags.policy, FILE: words.find((word) => word === '-') });
    const found = await findPresentPolicy(flags.policy);
    const missing = shippedNote(found, 'used');
    if (missing !== undefined) note(missing);
    const { dlp } = await loadFoundPolicy(found, false);
    const finder = createSecretFinder(dlp);
    const output = createOutput(process.stdout);
    const become = {
      arguments: (flags.server === undefined ? undefined : dlp.servers.get(flags.server)) ?? dlp.onArguments,
      requests: dlp.onRequest,
    };
    const all: (FoundSecret & { readonly file: string })[] = [];
    for (const word of words) {
      const file = nameOfFile(word);
      for (const secret of findInText(await readText(word), finder)) all.push({ file, ...secret });
    }
    const counts = Object.fromEntries(
      Map.groupBy(all, ({ kind }) => kind)
        .entries()
        .map(([kind, secrets]) => [kind, secrets.length]),
    );
    if (flags.json) {
      await output.write(
        `${JSON.stringify({ policy: found.file, isOn: dlp.enabled, ...become, counts, secrets: all }, null, 2)}\n`,
      );
    } else {
      for (let at = 0; at < all.length && output.isOpen; at += PORTION)
        await output.write(
          all
            .slice(at, at + PORTION)
            .map((secret, index) => `${at + index + 1}. ${lineOf(secret, become)}`)
            .join(''),
        );
      const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
      const sum = all.length === 0 ? 'no secrets' : `${countOf(all.length, 'secret')}: ${kinds.join(', ')}`;
      await output.write(`${sum}${dlp.enabled ? '' : ', since [dlp] is switched off'}\n`);
    }
    return all.length === 0 ? EXIT.ok : EXIT.mismatch;
  },
});

function lineOf(
  { file, line, column, kind, length, hiding }: FoundSecret & { readonly file: string },
  become: { readonly arguments: string; readonly requests: string },
): string {
  const place = `${printable(file)}:${line}:${column}`;
  return `${place}  ${kind} (${hiding === undefined ? countOf(length, 'character') : `in disguise: ${hiding}`})  arguments: ${become.arguments}  requests: ${become.requests}\n`;
}

async function readText(file: string): Promise<string> {
  const bytes = file === '-' ? await readStdin('inspect_unreadable') : await readBytes(file);
  if (isUtf8(bytes)) return bytes.toString();
  throw new ClawaiError(`${nameOfFile(file)} is not UTF-8 text`, {
    code: 'inspect_unreadable',
    place: { file: nameOfFile(file) },
  });
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClawaiError(`${file} cannot be read: ${why}`, { code: 'inspect_unreadable', place: { file }, cause });
  }
}

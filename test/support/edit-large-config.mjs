// Reads and edits the servers of a file as wrap does; prints the most memory this took beyond the start, in bytes.
import { readFileSync } from 'node:fs';
import { CLIENTS } from '../../src/clients/clients.ts';
import { editJson } from '../../src/clients/edit-json.ts';
import { readEntries, rewriteCommand } from '../../src/clients/entries.ts';

const peak = () => process.resourceUsage().maxRSS * 1024;

const [, local] = CLIENTS.find(({ id }) => id === 'claude-code').locations;
const before = peak();
const text = readFileSync(process.argv[2], 'utf8');
const { entries } = readEntries(text, local);
const edits = entries.flatMap((entry) => rewriteCommand(entry, { command: '/opt/clawai', args: ['proxy', '--', entry.command] }));
const result = editJson(text, local.syntax, edits);
const bytes = Buffer.from(result.text);
console.log(JSON.stringify({ memory: peak() - before, edits: edits.length, bytes: bytes.length }));

// Keeps a store to itself until its stdin ends: `node store-holder.mjs FILE [MODE]`. It prints `held` when it has it.
//   MODE  `write`: nobody else can write; `all`: nobody else can even read, or open it
import { DatabaseSync } from 'node:sqlite';

const [file, mode = 'write'] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: 5000 });
if (mode === 'all') database.exec('PRAGMA locking_mode = EXCLUSIVE');
database.exec('BEGIN EXCLUSIVE');
process.stdout.write('held\n');
process.stdin.resume().on('end', () => {
  database.exec('ROLLBACK');
  database.close();
});

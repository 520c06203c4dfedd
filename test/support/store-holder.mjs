// Keeps a store to itself until its stdin ends: `node store-holder.mjs FILE [MODE]`. It prints `held` when it has it.
//   MODE  `write`: nobody else can write; `all`: nobody else can even read, or open it; `flicker`: now and again, nobody else can write
import { DatabaseSync } from 'node:sqlite';

const [file, mode = 'write'] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: 5000 });
if (mode === 'all') database.exec('PRAGMA locking_mode = EXCLUSIVE');
let isHeld = false;
const change = () => {
  database.exec(isHeld ? 'ROLLBACK' : 'BEGIN EXCLUSIVE');
  isHeld = !isHeld;
  if (mode === 'flicker') timer = setTimeout(change, Math.random() * (isHeld ? 40 : 10));
};
let timer;
change();
process.stdout.write('held\n');
process.stdin.resume().on('end', () => {
  clearTimeout(timer);
  if (isHeld) database.exec('ROLLBACK');
  database.close();
});

// A process that uses a store: `node store-process.mjs MODE FILE NAME [MILLISECONDS]`. It prints lines of JSON.
import { existsSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SqliteStore } from '../../src/store/sqlite-store.ts';

const [mode, file, name, milliseconds] = process.argv.slice(2);
const ending = performance.now() + Number(milliseconds ?? 10_000);
const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });

const CALL = { server: 'x', method: 'tools/call', subject: 't', categories: ['read'], turn: undefined, isForwarded: true };
const print = (value) => writeSync(1, `${JSON.stringify(value)}\n`);
const rest = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const event = (id, more) => ({ type: 't', time: Date.now(), session: 's', server: 'x', body: JSON.stringify({ id }), ...more });

function begin() {
  while (!store.begin()) rest(1);
}

function record(id) {
  begin();
  store.append(event(id));
  store.commit();
}

const modes = {
  // Events of our own, and calls of which the rule lets one pass: whoever comes first. Begins when a line comes on stdin, so that all do at once, and
  // ends when there is a file `FILE.stop`.
  hammer() {
    print('ready');
    readSync(0, Buffer.alloc(1));
    let i = 0;
    for (; !existsSync(`${file}.stop`); i++) {
      record(`${name}.${i}`);
      begin();
      const isFirst = store.read('rule', `call-${i}`, Date.now()) === undefined;
      if (isFirst) store.write('rule', `call-${i}`, '1', Date.now() + 600_000);
      store.append(event(`${name}.call-${i}`, { tool: `call-${i}`, action: isFirst ? 'allow' : 'block' }));
      store.commit();
    }
    print(i);
  },
  // What is printed was committed before.
  forward() {
    for (let i = 0; performance.now() < ending; i++) {
      record(`${name}.${i}`);
      print(`${name}.${i}`);
    }
  },
  // Calls of one session, among which are some that are taken back; each that is printed was noted before, with its place.
  session() {
    for (let i = 0; performance.now() < ending; i++) {
      begin();
      const note = (id) => store.inSessions((log) => log.addCall('s', { ...CALL, id, time: Date.now() }));
      const isLost = i % 3 === 2;
      const n = note(isLost ? `${name}.lost.${i}` : `${name}.${i}`);
      store.append(event(`${name}.${i}`));
      if (isLost) {
        store.rollback();
        continue;
      }
      store.commit();
      print([`${name}.${i}`, n]);
    }
  },
  // One event, and how it went.
  once() {
    try {
      record(name);
      print('recorded');
    } catch (error) {
      print({ code: error.code, hint: error.hint, message: error.message });
    }
  },
  // Events until it fails.
  fill() {
    for (let i = 0; ; i++) {
      try {
        begin();
        store.append(event(`${name}.${i}`, { session: 'x'.repeat(20_000) }));
        store.commit();
        print(`${name}.${i}`);
      } catch (error) {
        print({ code: error.code, hint: error.hint });
        return;
      }
    }
  },
  // Holds the store until stdin ends.
  lock() {
    const database = new DatabaseSync(file);
    database.exec('BEGIN IMMEDIATE');
    print('locked');
    readSync(0, Buffer.alloc(1));
    database.exec('ROLLBACK');
    database.close();
  },
};

modes[mode]();
store.close();

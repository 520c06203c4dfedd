import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Question } from '../../src/gate/ports/approval-port.ts';
import { SqliteQuestions } from '../../src/store/approval-store.ts';

/** A state folder for each test of a file, and connections to the questions in it. */
export interface QuestionFolder {
  readonly folder: string;
  readonly file: string;
  /** One more process, as it were. */
  open(): SqliteQuestions;
}

export function useQuestions(): { readonly current: QuestionFolder } {
  let folder = '';
  const opened: SqliteQuestions[] = [];
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'clawai-questions-')), 'state');
    mkdirSync(folder);
  });
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });
  return {
    get current() {
      const file = join(folder, 'clawai.db');
      return {
        folder,
        file,
        open: () => {
          const store = new SqliteQuestions({ file, sync: 'normal' });
          opened.push(store);
          return store;
        },
      };
    },
  };
}

let last = 0;

/** A question that waits for a minute from now, of this process. */
export function question(fields: Partial<Question> = {}): Question {
  const now = Date.now();
  last += 1;
  return {
    id: `Q${String(last).padStart(5, '0')}`,
    session: 's-1',
    server: 'files',
    method: 'tools/call',
    tool: 'write_file',
    resource: undefined,
    prompt: undefined,
    rule: 'writing',
    description: 'Ask before writing',
    policyFile: '/home/u/policy.toml',
    ruleIndex: 2,
    summary: '{"path":"a"}',
    args: '{"path":"a"}',
    argsLength: 12,
    extra: undefined,
    fingerprint: 'f',
    canRemember: true,
    askedAt: now,
    expiresAt: now + 60_000,
    asker: { pid: process.pid, started: '' },
    ...fields,
  };
}

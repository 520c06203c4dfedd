import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesktopNotifier, questionNotice, refusalNotice } from '../../src/approval/desktop.ts';
import { question } from '../support/questions.ts';

const HOSTILE = '--help"; rm -rf / $(id) `id`\u001b[31m<b>bold</b>&amp;\n\u202e';

describe('a notice of a question', () => {
  it('names server, tool, id and what to run', () => {
    expect(questionNotice(question({ id: 'K7Q2MX' }))).toEqual({
      title: 'clawai: approval needed',
      body: 'files: write_file. To answer, run clawai approvals (request K7Q2MX).',
    });
  });

  it('says why if a guard asks, and leaves the words of rules to the terminal', () => {
    const description =
      '"iban": an account number ("DE89…") that came from a result of "read_mail" of the server "mail" 2 min ago, and that you never said';
    expect(questionNotice(question({ id: 'K7Q2MX', rule: undefined, description })).body).toBe(
      'files: write_file. “iban”: an account number (“DE89…”) that came from a result of “read_mail” of the server “mail” 2 min ago, ' +
        'and that you never said. To answer, run clawai approvals (request K7Q2MX).',
    );
    expect(questionNotice(question({ rule: 'ask', description })).body).not.toContain('DE89');
    const hostile = questionNotice(question({ rule: undefined, description: `${HOSTILE} ${'x'.repeat(1000)}` })).body;
    expect(hostile).not.toMatch(/[<>&"'`$\\;\n\u001b\u202e]/);
    expect(hostile.length).toBeLessThan(360);
  });

  it('has no markup, and nothing that steers', () => {
    const text = questionNotice(question({ server: HOSTILE, tool: 'x'.repeat(1000) })).body;
    expect(text).toMatch(/^[A-Za-z0-9 _.:/@?()-]*$|,/);
    expect(text).not.toMatch(/[<>&"'`$\\;\n\u001b\u202e]/);
    expect(text.length).toBeLessThan(220);
  });
});

describe('a notice of what is refused', () => {
  const refused = { server: 'files', kind: 'tool', name: 'a', why: 'changed', action: 'deny', trusted: undefined } as const;

  it.each<[Parameters<typeof refusalNotice>[0], string]>([
    [[refused], 'files: a changed since it was trusted, so it is denied. To look, run clawai status.'],
    [
      [{ ...refused, action: 'hide', why: 'found' }, refused],
      'files: a may mislead a model and 1 more, so it is hidden from the model. To look, run clawai status.',
    ],
    [
      [refused, { ...refused, kind: 'server', name: '' }],
      'files: the way in which it is started changed since it was trusted and 1 more, so it is denied. To look, run clawai status.',
    ],
    [
      [{ ...refused, kind: 'instructions', name: '', why: 'new' }],
      'files: what it tells the model was never approved, so it is denied. To look, run clawai status.',
    ],
  ])('%#', (all, body) => {
    expect(refusalNotice(all)).toEqual({ title: 'clawai: blocked', body });
  });

  it('has no markup either', () => {
    expect(refusalNotice([{ ...refused, server: HOSTILE, name: HOSTILE }]).body).not.toMatch(/[<>&"'`$\\;\n\u001b\u202e]/);
  });
});

describe.runIf(process.platform !== 'win32')('the notifier', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clawai-desktop-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function program(name: string, script: string): void {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }

  async function calls(count: number): Promise<string[]> {
    const file = join(folder, 'calls');
    for (let tries = 0; tries < 300; tries++) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
      if (lines.length >= count) return lines;
      await setTimeout(10);
    }
    throw new Error('was not called');
  }

  it.each(['notify-send', 'osascript'])('%s gets each text as one word behind --, at most every few seconds', async (name) => {
    // In one go: two of them may write at once.
    program(name, `line=$(printf '%s|' "$@"); echo "$line" >> ${join(folder, 'calls')}`);
    let time = 0;
    const show = createDesktopNotifier({ env: { PATH: folder }, elapsed: () => time });
    const notify = (fields: { server: string }): void => show(questionNotice(question(fields)));
    notify({ server: HOSTILE });
    notify({ server: 'second' });
    time = 4999;
    notify({ server: 'third' });
    time = 5000;
    notify({ server: 'fourth' });
    const [first, second] = await calls(2);
    expect(first).toMatch(/\|--\|/);
    expect(first?.split('|--|')[1]?.split('|')).toHaveLength(3);
    expect(`${first}${second}`).toContain('fourth');
    expect(`${first}${second}`).not.toMatch(/second|third/);
  });

  it('is nobody’s concern where it fails, hangs, or is not there', () => {
    // Whoever waited for the second one would be over the test's time.
    for (const script of ['exit 1', 'exec sleep 300']) {
      program('notify-send', script);
      createDesktopNotifier({ env: { PATH: folder }, elapsed: () => 0 })(questionNotice(question()));
    }
    writeFileSync(join(folder, 'notify-send'), 'no program');
    for (const path of [folder, '', '.:bin', '/nonexistent']) {
      expect(() => createDesktopNotifier({ env: { PATH: path }, elapsed: () => 0 })(questionNotice(question()))).not.toThrow();
    }
  });
});

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesktopNotifier, notificationText } from '../../src/approval/desktop.ts';
import { question } from '../support/questions.ts';

const HOSTILE = '--help"; rm -rf / $(id) `id`\u001b[31m<b>bold</b>&amp;\n\u202e';

describe('notificationText', () => {
  it('names server, tool, id and what to run', () => {
    expect(notificationText(question({ id: 'K7Q2MX' }))).toBe(
      'files: write_file. To answer, run clawai approvals (request K7Q2MX).',
    );
  });

  it('has no markup, and nothing that steers', () => {
    const text = notificationText(question({ server: HOSTILE, tool: 'x'.repeat(1000) }));
    expect(text).toMatch(/^[A-Za-z0-9 _.:/@?()-]*$|,/);
    expect(text).not.toMatch(/[<>&"'`$\\;\n\u001b\u202e]/);
    expect(text.length).toBeLessThan(220);
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
    const notify = createDesktopNotifier({ env: { PATH: folder }, elapsed: () => time });
    notify(question({ server: HOSTILE }));
    notify(question({ server: 'second' }));
    time = 4999;
    notify(question({ server: 'third' }));
    time = 5000;
    notify(question({ server: 'fourth' }));
    const [first, second] = await calls(2);
    expect(first).toMatch(/\|--\|/);
    expect(first?.split('|--|')[1]?.split('|')).toHaveLength(3);
    expect(`${first}${second}`).toContain('fourth');
    expect(`${first}${second}`).not.toMatch(/second|third/);
  });

  it('is nobody’s concern where it fails, hangs, or is not there', () => {
    for (const script of ['exit 1', 'sleep 2']) {
      program('notify-send', script);
      const started = performance.now();
      createDesktopNotifier({ env: { PATH: folder }, elapsed: () => 0 })(question());
      expect(performance.now() - started).toBeLessThan(500);
    }
    writeFileSync(join(folder, 'notify-send'), 'no program');
    for (const path of [folder, '', '.:bin', '/nonexistent']) {
      expect(() => createDesktopNotifier({ env: { PATH: path }, elapsed: () => 0 })(question())).not.toThrow();
    }
  });
});

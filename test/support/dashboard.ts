import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { AtTerminal } from './at-terminal.ts';
import type { Sandbox } from './sandbox.ts';

/** Debian's browser, which CI installs. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file));

export const HAS_BROWSER: boolean = CHROMIUM !== undefined;

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? 'chromium', args: ['--disable-dev-shm-usage'] });
}

/** A person who has `clawai dashboard` open in a terminal. */
export class Dashboard {
  readonly terminal: AtTerminal;
  #seen = 0;

  constructor(sandbox: Sandbox, ...flags: readonly string[]) {
    this.terminal = new AtTerminal(sandbox, ['dashboard', '--no-open', ...flags], { columns: 200 });
  }

  /** The address that it prints next. */
  async address(): Promise<string> {
    const all = (): readonly string[] => this.terminal.text.match(/http:\S+token=\S+/g) ?? [];
    if (this.#seen > 0) this.terminal.send('\r');
    await this.terminal.until(() => all().length > this.#seen);
    this.#seen += 1;
    return all()[this.#seen - 1] ?? '';
  }

  async end(): Promise<void> {
    this.terminal.signal('SIGINT');
    await this.terminal.ended;
  }
}

import { join } from 'node:path';
import { Load } from '../http/load.ts';
import { type ClawaiSetup, Processes } from '../http/processes.ts';
import type { Target } from '../http/targets.ts';
import { canPlace, place, release } from '../stdio/placement.ts';
import { writeLlmPolicy } from './policy.ts';
import type { Wire } from './wires.ts';

/** `disabled`: clawai that looks at nothing. */
export const MIDDLEMEN = ['pipe', 'pass-through', 'httpxy', 'clawai', 'disabled'] as const;
/** What stands before the API. */
export type Middleman = (typeof MIDDLEMEN)[number];

/** One that stands there, or the API itself. */
export type Where = Middleman | 'direct';

const SCRIPTS = {
  pipe: join(import.meta.dirname, '..', 'http', 'tcp-pipe.mjs'),
  'pass-through': join(import.meta.dirname, 'pass-through.mjs'),
  httpxy: join(import.meta.dirname, '..', 'http', 'httpxy.mjs'),
} as const;

/** Of the URLs of both providers. */
const SECRET = 'bench-secret-of-both-00';

/** One API, the middlemen before it, and what makes load; each a process of its own. */
export class LlmStage {
  readonly load = new Load();
  readonly wire: Wire;
  readonly #targets = new Map<Where, Target>();
  readonly #processes = new Processes();

  constructor(wire: Wire) {
    this.wire = wire;
  }

  /** A path in a folder that goes with the processes. */
  file(name: string): string {
    return join(this.#processes.folder, name);
  }

  target(where: Where): Target {
    const target = this.#targets.get(where);
    if (target === undefined) throw new Error(`${where} does not run`);
    return target;
  }

  /** Starts everything: the middlemen on one core, the API, the load and this process on the other, where that can be had. */
  async start(): Promise<void> {
    const direct = await this.#processes.startNode(this.wire.script);
    this.#targets.set('direct', { ...direct, path: '' });
    for (const name of MIDDLEMEN) this.#targets.set(name, await this.#start(name, direct.port));
    if (!canPlace()) return;
    place(
      MIDDLEMEN.map((name) => this.target(name).pid),
      0,
    );
    place([direct.pid, this.load.pid, process.pid], 1);
  }

  /** Where one is that takes requests for Gemini. */
  geminiTarget(where: 'pipe' | 'clawai'): Target {
    const target = this.target(where);
    return { ...target, path: target.path.replace('/bench/', '/bench-gemini/') };
  }

  /**
   * Starts one more clawai, which has done nothing yet. @param config more of its tables, before those of the providers @param policy more of
   * its policy
   */
  async startFresh(
    config: string,
    { policy = '', ...more }: Pick<ClawaiSetup, 'preload' | 'env'> & { readonly policy?: string } = {},
  ): Promise<Target> {
    const { port } = this.target('direct');
    const provider = ['bench', 'bench-gemini']
      .map((name) => `[llm.providers.${name}]\ndialect = "${name === 'bench' ? this.wire.dialect : 'gemini'}"\n`)
      .map((table) => `${table}base_url = "http://127.0.0.1:${port}"\nsecret = "${SECRET}"\n`)
      .join('');
    const { ready, pid } = await this.#processes.startClawai({
      config: `${config}${provider}`,
      policy: `${writeLlmPolicy()}${policy}`,
      ...more,
    });
    const { llm } = ready as { llm: readonly { url: string }[] };
    const url = new URL(llm[0]?.url ?? '');
    if (canPlace()) place([pid], 0);
    return { port: Number(url.port), path: url.pathname, pid };
  }

  /** Ends all of it. */
  async end(): Promise<void> {
    if (canPlace()) release(process.pid);
    await this.load.end();
    await this.#processes.end();
  }

  async #start(name: Middleman, upstream: number): Promise<Target> {
    if (name === 'clawai') return this.startFresh('');
    if (name === 'disabled') return this.startFresh('[llm]\nmode = "disabled"\n');
    return { ...(await this.#processes.startNode(SCRIPTS[name], String(upstream))), path: '' };
  }
}

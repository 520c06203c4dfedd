import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from './run-cli.ts';
import { type Ended, Running } from './running.ts';
import { Sandbox, serverPackage } from './sandbox.ts';

const CURSOR = '.cursor/mcp.json';

/**
 * The machine of somebody who reads the documentation: `clawai` can be called by name, two real servers of a client are wrapped, and some calls
 * were made.
 */
export class DocumentedMachine {
  readonly sandbox = new Sandbox();
  /** Where commands run, and blocks with a name become files. */
  readonly folder = join(this.sandbox.folder, 'here');
  readonly env: Readonly<Record<string, string>>;

  constructor() {
    const programs = join(this.sandbox.folder, 'programs');
    for (const folder of [this.folder, programs]) mkdirSync(folder);
    symlinkSync(join(ROOT, 'bin', 'clawai.mjs'), join(programs, 'clawai'));
    // What `npx` starts is what is installed for tests; nothing is downloaded.
    symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(this.folder, 'node_modules'));
    const { PATH = '', ...env } = this.sandbox.env;
    this.env = { ...env, TZ: 'UTC', PATH: [programs, dirname(process.execPath), PATH].join(delimiter) };
    // Agents, as far as examples start some.
    for (const name of ['claude', 'codex'])
      writeFileSync(join(programs, name), '#!/bin/sh\necho "$0 has run"\n', { mode: 0o755 });
  }

  /** Wraps two servers, and has one call allowed and one denied, as any client would. */
  async prepare(): Promise<void> {
    const servers = {
      files: { command: process.execPath, args: [serverPackage('filesystem'), this.sandbox.home] },
      memory: { command: process.execPath, args: [serverPackage('memory')] },
    };
    mkdirSync(join(this.sandbox.home, dirname(CURSOR)));
    writeFileSync(join(this.sandbox.home, CURSOR), JSON.stringify({ mcpServers: servers }));
    for (const command of ['clawai init', 'clawai wrap --all']) {
      const { code, stderr } = await this.run(command);
      if (code !== 0) throw new Error(`${command}: ${stderr}`);
    }
    const call = (id: number, name: string, path: string): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { path } } })}\n`;
    const server = new Running(
      this.sandbox.command('proxy', '--server', 'files', '--', servers.files.command, ...servers.files.args),
      { env: this.env, cwd: this.folder },
    );
    const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    server.send(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: client })}\n`);
    server.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    server.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await server.lines(2);
    server.send(call(2, 'list_directory', this.sandbox.home));
    server.send(call(3, 'read_text_file', join(this.sandbox.home, '.ssh', 'id_rsa')));
    await server.lines(4);
    await server.close();
  }

  /** Writes a file that a page shows. */
  write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Copies a folder of the project to where commands run. */
  copy(name: string): void {
    cpSync(join(ROOT, name), join(this.folder, name), { recursive: true });
  }

  /** Starts commands as a shell would. */
  start(commands: string): Running {
    return new Running(['bash', '-c', commands], { env: this.env, cwd: this.folder });
  }

  /** Runs commands to their end, with nothing on stdin. */
  run(commands: string): Promise<Ended> {
    return this.start(commands).close();
  }

  remove(): void {
    this.sandbox.remove();
  }
}

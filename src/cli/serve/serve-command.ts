import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import { findPolicy } from '../../config/policy-file.ts';
import { loadStartPolicy } from '../../config/start-policy.ts';
import { EXIT } from '../../errors.ts';
import { defineCommand } from '../command.ts';

/** `clawai serve`: stands in front of remote MCP servers, as `clawai proxy` does in front of those that a client starts, and of LLM providers. */
export const serveCommand = defineCommand({
  meta: {
    name: 'serve',
    description: 'Stand in front of remote MCP servers: what the policy denies never reaches them, everything else passes.',
    notes: [
      'Each server has a URL of its own here, with a secret in it. clawai wrap puts these URLs into the configs of clients; servers that are declared in config.toml under [[servers]] have one as well.',
      'So does each LLM provider that is declared under [llm.providers]: an agent that has its URL as the base URL gets of what its model calls only what the policy allows.',
      'It runs until it is stopped (Ctrl+C, or SIGTERM), and then lets go what is on its way.',
    ],
    examples: ['clawai serve', 'clawai serve --listen 127.0.0.1:0 --json'],
  },
  args: {
    listen: {
      type: 'string',
      hint: 'HOST:PORT',
      description: 'Where to listen; 127.0.0.1:8787 unless the config says otherwise.',
    },
    policy: { type: 'string', hint: 'FILE', description: 'The policy that decides.' },
    config: { type: 'string', hint: 'FILE', description: 'How to run: where to listen, which servers there are, what is kept.' },
    observe: { type: 'boolean', description: 'Decide and record, and let everything pass.' },
    json: { type: 'boolean', description: 'Print one line of JSON with all URLs when ready.' },
  },
  async run({ flags }) {
    const machine = { env: process.env, platform: process.platform, home: homedir() };
    const config = await loadConfig({ flag: flags.config, ...machine });
    const found = findPolicy({ flag: flags.policy, ...machine });
    const start = await loadStartPolicy({ found, stateDir: config.stateDir, place: { cwd: machine.home, home: machine.home } });
    const { serve } = await import('./serve.ts');
    await serve({
      config,
      listen: flags.listen,
      start,
      isObserving: flags.observe || config.mode === 'observe',
      isJson: flags.json,
    });
    return EXIT.ok;
  },
});

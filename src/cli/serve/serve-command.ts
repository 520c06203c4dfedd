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
    description:
      'Stand in front of remote MCP servers and LLM providers. What the policy denies never reaches them; everything else passes.',
    notes: [
      'Each server has its own URL here, with a secret in it. clawai wrap writes these URLs into the configs of clients. Servers under [[servers]] in config.toml have one as well.',
      'Each LLM provider under [llm.providers] has a URL too. An agent that uses it as its base URL gets only those tool calls of its model that the policy allows.',
      'It runs until it is stopped (Ctrl+C or SIGTERM). It finishes what is on its way first.',
    ],
    examples: ['clawai serve', 'clawai serve --listen 127.0.0.1:0 --json'],
  },
  args: {
    listen: {
      type: 'string',
      hint: 'HOST:PORT',
      description: 'The address to listen on (127.0.0.1:8787, or that of the config).',
    },
    policy: { type: 'string', hint: 'FILE', description: 'The policy that decides.' },
    config: { type: 'string', hint: 'FILE', description: 'The config: the address, the servers, and what is recorded.' },
    observe: { type: 'boolean', description: 'Decide and record, but let everything pass.' },
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

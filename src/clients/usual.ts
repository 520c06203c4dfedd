import type { EntryShape, LockProtocol, Remark } from './client.ts';

/** `command`, `args`, `env`, or `url`: what most clients took over from Claude Desktop. */
export const PLAIN: EntryShape = { stdio: 'command', env: 'env', urls: ['url'] };

export const NO_LOCK: LockProtocol = { kind: 'none' };

export const SHARED_FILE: Remark = {
  id: 'shared-file',
  text: 'the file is usually committed: absolute paths in it do not exist on other machines',
};

export const PLUGIN_CACHE: Remark = {
  id: 'plugin-cache',
  text: "the plugin's next update overwrites this file, and with it any change",
};

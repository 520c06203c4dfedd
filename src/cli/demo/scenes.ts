import { join } from 'node:path';

export type Outcome = 'allowed' | 'denied';

/** A call that the demo makes, and what has to come of it. */
export interface Scene {
  readonly title: string;
  readonly tool: string;
  /** The call's arguments, for the demo's folder. */
  readonly args: (folder: string) => Record<string, unknown>;
  readonly expected: Outcome;
}

export const SCENES: readonly Scene[] = [
  {
    title: 'The agent reads a file of the project',
    tool: 'read_text_file',
    args: (folder) => ({ path: join(folder, 'project', 'notes.txt') }),
    expected: 'allowed',
  },
  {
    title: 'The agent reads an SSH key, which this server would hand out',
    tool: 'read_text_file',
    args: (folder) => ({ path: join(folder, '.ssh', 'id_rsa') }),
    expected: 'denied',
  },
  {
    title: 'It tries again: another tool, a list of paths, a detour',
    tool: 'read_multiple_files',
    args: (folder) => ({ paths: [join(folder, 'project', 'notes.txt'), `${folder}/project/../.ssh/./id_rsa`] }),
    expected: 'denied',
  },
];

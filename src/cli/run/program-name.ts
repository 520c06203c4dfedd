import { basename } from 'node:path';

/** The name of the program that a command starts, in small letters and without what Windows puts behind it. @param command as it was typed */
export function programOf(command: string): string {
  return basename(command.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.(?:exe|cmd|ps1)$/, '');
}

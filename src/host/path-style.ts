import type { PathContext } from '../core/policy/paths.ts';

/** How paths are written and compared on a platform. */
export function pathStyle(platform: NodeJS.Platform): PathContext['platform'] {
  if (platform === 'win32') return 'windows';
  return platform === 'darwin' ? 'macos' : 'posix';
}

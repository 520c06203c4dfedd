import { listFiles } from '../structure/source.ts';

/** The pages of the documentation, without those of packages that build its site. */
export function listPages(): readonly string[] {
  return listFiles('docs', '.md').filter((file) => !file.includes('/node_modules/'));
}

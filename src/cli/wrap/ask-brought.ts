import { planWrap, type WrapRequest } from '../../wrap/wrap.ts';
import { askYes, isPersonHere } from '../terminal/person.ts';
import { printable, shortPath, visible } from '../terminal/text.ts';

/**
 * Asks the person at the terminal about the user's own entries that bring along settings for clawai, e.g. `--observe`: another program may
 * have written them. Where nobody is there to be asked, nobody agrees.
 */
export async function askBrought(request: WrapRequest): Promise<WrapRequest['isAgreed']> {
  // Finding out takes as long as wrapping.
  if (!isPersonHere('wrap')) return undefined;
  const brought = planWrap(request).flatMap(({ report }) =>
    (report?.entries ?? []).filter(({ reason, scope }) => reason === 'brought' && scope !== 'project'),
  );
  if (brought.length === 0) return undefined;
  for (const { server, file, detail = '', weakness } of brought) {
    const effect = weakness === undefined ? '' : `: ${weakness}`;
    process.stdout.write(printable(`${visible(server)} in ${shortPath(file)} has settings for clawai: ${detail}${effect}`));
    process.stdout.write('\n');
  }
  if (!(await askYes(`Did you put ${brought.length === 1 ? 'them' : 'all of these'} there, and should they stay?`)))
    return undefined;
  const agreed = new Set(brought.map(({ file, pointer }) => `${file}\0${pointer}`));
  return ({ found, pointer }) => agreed.has(`${found.file}\0${pointer}`);
}

import { findProgram } from '../../approval/find-program.ts';

/** Milliseconds within which a program that can't open a page says so. */
const PATIENCE_MS = 3000;

/** The programs that open a page in the user's browser, without a shell. */
const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens a page in the user's browser. The page's address is one argument of a program and passes no shell.
 *
 * @returns false where there is no browser, or it could not be opened
 */
export async function openPage(page: URL): Promise<boolean> {
  const { env, platform } = process;
  const [name = '', ...args] = OPENERS[platform] ?? ['xdg-open'];
  const program = findProgram(name, env['PATH'] ?? env['Path'] ?? '');
  if (program === undefined) return false;
  const { startProgram } = await import('../../host/start-program.ts');
  const started = startProgram(program, [...args, page.href], { env, stdio: 'ignore', detached: true });
  started.unref();
  let timer: NodeJS.Timeout | undefined;
  const isOpening = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), PATIENCE_MS);
  });
  const isOpened = await Promise.race([started.ended.then(({ code }) => code === 0), isOpening]);
  clearTimeout(timer);
  return isOpened;
}

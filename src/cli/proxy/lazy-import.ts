import { ClawaiError } from '../../errors.ts';

/**
 * Imports a module after the start. An update may have deleted this version's files by then, so a missing one tells the user to restart.
 *
 * @throws ClawaiError `updated_while_running` if the file is gone; other errors as they are
 */
export async function lazyImport<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new ClawaiError('clawai was updated or removed while this process ran; restart the client', {
      code: 'updated_while_running',
      hint: 'the client then starts the clawai that is there now',
      cause: error,
    });
  }
}

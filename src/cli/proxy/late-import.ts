import { ClawaiError } from '../../errors.ts';

/**
 * Loads a part of clawai that is needed late. An update takes the files of the version that runs away; what is not loaded by then never is,
 * and whoever reads of it has to know what to do.
 */
export async function lateImport<T>(load: () => Promise<T>): Promise<T> {
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

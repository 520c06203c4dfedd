import { type Config, defaultConfig } from './config.ts';
import { findFile, type FindFileOptions } from './find-file.ts';
import { readTomlText, toMeaningError, toSyntaxError } from './toml-file.ts';

/**
 * Finds and reads the config: `--config`, else `$CLAWAI_CONFIG`, else `config.toml` in the user's `configDirectory`. If the latter is
 * missing, it returns the defaults. Each proxy does this before it starts its server, so the parser is loaded only if there is a file.
 *
 * @throws ClawaiError `config_not_found`, `config_unreadable`, `config_syntax` or `config_invalid`; the last two have `faults`.
 */
export async function loadConfig(options: FindFileOptions): Promise<Config> {
  const { file, isThere } = findFile('config', options);
  const defaults = defaultConfig(options);
  if (!isThere) return defaults;
  const text = readTomlText('config', file);
  const { parseConfig } = await import('./parse-config.ts');
  const result = parseConfig(text, { file, home: options.home, defaults });
  if (result.ok) return result.config;
  if ('syntax' in result) throw toSyntaxError('config', file, result.syntax);
  throw await toMeaningError('config', { file, text }, result.errors);
}

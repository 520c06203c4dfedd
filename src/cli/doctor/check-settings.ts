import { loadConfig } from '../../config/config-file.ts';
import type { Config } from '../../config/config.ts';
import type { FindFileOptions } from '../../config/find-file.ts';
import { findPolicy, loadPolicy } from '../../config/policy-file.ts';
import { describeGone } from '../../config/describe-change.ts';
import { hasPolicyMark } from '../../config/policy-mark.ts';
import { findProjectPolicy, type ProjectPlace } from '../../config/start-policy.ts';
import { findOpenPath } from '../../config/policy-watch.ts';
import { ClawaiError, formatPlace } from '../../errors.ts';
import { type Check, fail, ok, warn } from './check.ts';

/**
 * The policy that a server without `--policy` counts with when it is started from here.
 *
 * @param stateDir where it is noted that there was one; undefined where nobody knows
 */
export async function checkPolicy(options: FindFileOptions, stateDir: string | undefined): Promise<readonly Check[]> {
  try {
    const found = findPolicy(options);
    if (found.kind === 'shipped' && stateDir !== undefined && hasPolicyMark(stateDir, found.missingFile)) {
      return [fail('policy', describeGone(found.missingFile, true), 'clawai init')];
    }
    const { rules, defaults } = await loadPolicy(found.file);
    const what = `${countRules(rules)}, default ${defaults.action}`;
    if (found.kind === 'shipped') {
      return [
        ok('policy', `the shipped default (${what}), since there is none at ${found.missingFile}; \`clawai init\` writes one`),
      ];
    }
    return [
      ok('policy', `${found.file}: ${what}`),
      ...checkWriters('policy', found.file),
      ...checkVariable('policy', found.source),
    ];
  } catch (error) {
    return toFailures('policy', error);
  }
}

/** The policy of the project that this is called in; nothing where there is none. A mistake in it starts no server of that project. */
export async function checkProjectPolicy(place: ProjectPlace): Promise<readonly Check[]> {
  const file = findProjectPolicy(place);
  if (file === undefined) return [];
  try {
    const { rules } = await loadPolicy(file, true);
    return [ok('project', `${file}: ${countRules(rules)}, which can only be stricter than your own`)];
  } catch (error) {
    return toFailures('project', error);
  }
}

function countRules(rules: readonly unknown[]): string {
  return `${rules.length} rule${rules.length === 1 ? '' : 's'}`;
}

/** The config, likewise; undefined where it can't be read, and then there is nothing to go on with. */
export async function checkConfig(
  options: FindFileOptions,
): Promise<{ readonly checks: readonly Check[]; readonly config: Config | undefined }> {
  try {
    const config = await loadConfig(options);
    if (config.file === undefined) return { checks: [ok('config', 'none, so all settings are the defaults')], config };
    const checks = [ok('config', config.file), ...checkWriters('config', config.file), ...checkMode(config)];
    const source = options.flag === undefined && isSet(options.env['CLAWAI_CONFIG']) ? '$CLAWAI_CONFIG' : 'user';
    return { checks: [...checks, ...checkVariable('config', source)], config };
  } catch (error) {
    return { checks: toFailures('config', error), config: undefined };
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

function checkMode({ mode, onError }: Config): readonly Check[] {
  const checks: Check[] = [];
  if (mode === 'observe')
    checks.push(warn('mode', 'it only observes: every call is recorded and none is denied', 'remove `mode` from the config'));
  if (onError === 'allow') checks.push(warn('mode', 'a call that cannot be decided or recorded passes (on_error = "allow")'));
  return checks;
}

/** Warns of a file that other users may write: they decide what is allowed. */
function checkWriters(about: string, file: string): readonly Check[] {
  const open = findOpenPath(file);
  return open === undefined ? [] : [warn(about, `${open} may be written by other users`, `chmod go-w ${open}`)];
}

/** Warns of a variable of this shell: desktop apps don't get it, nor do servers of clients that hand on only some. */
function checkVariable(about: string, source: string): readonly Check[] {
  if (!source.startsWith('$')) return [];
  const text = `it is the one that ${source} names in this shell, which many clients don't hand on to their servers`;
  return [warn(about, text, `move it to where it is found without, or put ${source.slice(1)} into the env of each entry`)];
}

/** One check for each fault, with its place. */
export function toFailures(about: string, error: unknown): readonly Check[] {
  if (!(error instanceof ClawaiError)) throw error;
  if (error.faults.length === 0) {
    const place = error.place === undefined || error.message.includes(error.place.file) ? '' : `${formatPlace(error.place)}: `;
    return [fail(about, `${place}${error.message}`, error.hint)];
  }
  return error.faults.map(({ place, message, hint }) => fail(about, `${formatPlace(place)}: ${message}`, hint));
}

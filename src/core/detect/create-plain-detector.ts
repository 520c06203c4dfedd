import { SEVERITIES } from '../finding.ts';
import { inspectArguments } from './arguments/inspect-arguments.ts';
import type { CleanTexts } from './clean-texts.ts';
import { findDressedName, namesFor, namesOf } from './names-of.ts';
import type { OwnNames } from './engine/read-clauses.ts';
import { type DefinitionField, fieldsOf, MOST_FIELDS } from './fields-of.ts';
import { type FieldFindings, type FieldSettings, inspectField } from './inspect-field.ts';
import { type Models, trainedModels } from './model/models.ts';
import { LIKE_AN_ATTACK } from './model/weigh.ts';
import { selectRules, type TextSettings } from './inspect-text.ts';
import {
  type DefinitionInput,
  type Detection,
  type DetectionRules,
  type Detector,
  type Family,
  type Inspection,
  type TextField,
  tooLong,
} from './types.ts';
import { versionOf } from './version-of.ts';

/** A sentence that so many definitions share tells nothing of each. */
const DEFINITIONS_THAT_SHARE = 3;

/** Most sentences of a server that are remembered. */
const MOST_SENTENCES = 10_000;

/** Most blocks, and characters of them, that are also read as one joined text. */
const MOST_JOINED_BLOCKS = 64;
const MOST_JOINED_CHARACTERS = 128 * 1024;

/** Families that are off by default: shells exist to run commands. */
const OFF_BY_DEFAULT: ReadonlySet<Family> = new Set<Family>(['shell_injection']);

/** Options of a detector besides the policy's rules. */
interface Extras {
  /** Searches for the user's own patterns; by default there are none. */
  readonly findCustom?: FieldSettings['findCustom'];
  /** Ways of rules that are left out, as `ID#NUMBER`, to measure how much depends on them. */
  readonly left?: ReadonlySet<string>;
  /** Models in place of those that ship, to measure what they find in sources that they have not seen. */
  readonly models?: Models;
}

/**
 * Creates a detector without the user's own patterns, whose engine takes longer to load than all the rest.
 *
 * @see createDetector
 */
export function createPlainDetector(
  rules: Pick<DetectionRules, 'families'> & Partial<DetectionRules>,
  { findCustom = () => [], left = new Set(), models = trainedModels() }: Extras = {},
): Detector {
  const { families } = rules;
  const isOn = (family: Family): boolean => families[family] ?? !OFF_BY_DEFAULT.has(family);
  const wordRules = selectRules(({ id, family }, way) => isOn(family) && !left.has(`${id}#${way}`));
  const settings: FieldSettings = { isOn, findCustom, models };

  return {
    version: versionOf(rules),
    definitions(definitions, context) {
      const names = namesOf(context);
      const seen = new Map<string, Set<number>>();
      const first = definitions.map((definition, index) =>
        inspectDefinition(definition, (clause) => noteClause(seen, clause, index)),
      );
      const known = sharedClauses(seen, context.sentences);
      return first.map((inspection, index) => {
        const clauses = known.get(index);
        const definition = definitions[index];
        if (clauses === undefined || definition === undefined) return inspection;
        return withRepeats(
          inspection,
          inspectDefinition(definition, (clause) => clauses.has(clause)),
        );
      });

      function inspectDefinition(definition: DefinitionInput, isKnown: TextSettings['isKnown']): Inspection {
        const own = namesFor(names, definition.name, definition.value);
        const fields = definitionFields(definition);
        const found = inspectOwn(fields, { names: own, isKnown, clean: context.clean });
        const ofName = isOn('obfuscation') ? findDressedName(definition) : [];
        const inspection = ofName.length === 0 ? found : toInspection([...found.detections, ...ofName], found.isCut);
        if (fields.length < MOST_FIELDS) return inspection;
        const tooMany = tooLong({ field: definition.kind, as: 'definition' }, `${fields.length} texts or more`);
        return toInspection([...inspection.detections, tooMany], true);
      }
    },
    texts(_origin, fields, context) {
      const shared = { as: 'text', names: namesOf(context), isKnown: () => false } as const;
      const apart = inspect(
        fields.map((field) => ({ ...field, isName: false, isOdd: false })),
        shared,
      );
      if (fields.length < 2) return apart;
      // The model judges sentences, and texts that have nothing to do with each other would make some.
      const found = new Set([LIKE_AN_ATTACK, ...apart.detections.map(({ rule }) => rule)]);
      const joined = joinedFields(fields).flatMap(
        (field) => inspect([{ ...field, isName: false, isOdd: false }], shared).detections,
      );
      return toInspection([...apart.detections, ...onePerRule(joined.filter(({ rule }) => !found.has(rule)))], apart.isCut);
    },
    arguments(args) {
      return toInspection(inspectArguments(args, isOn), false);
    },
  };

  /** Works like `inspect`, but skips the texts of definitions that are known to be clean. */
  function inspectOwn(
    fields: readonly DefinitionField[],
    { names, isKnown, clean }: { names: OwnNames; isKnown: TextSettings['isKnown']; clean: CleanTexts | undefined },
  ): Inspection {
    if (clean === undefined) return inspect(fields, { as: 'definition', names, isKnown });
    const found: FieldFindings[] = [];
    for (const field of fields) {
      if (clean.has(field, names)) continue;
      let isClean = true;
      const isHitKnown = (clause: string): boolean => {
        isClean = false;
        return isKnown(clause);
      };
      const shared = { as: 'definition', names, isKnown: isHitKnown, rules: wordRules } as const;
      const findings = inspectField(
        field.text,
        { ...shared, field: field.field, isName: field.isName, isOdd: field.isOdd },
        settings,
      );
      found.push(findings);
      if (isClean && findings.detections.length === 0) clean.note(field, findings.readings, names);
    }
    return toInspection(
      found.flatMap(({ detections }) => detections),
      found.some(({ isCut }) => isCut),
    );
  }

  function inspect(fields: readonly DefinitionField[], shared: Pick<TextSettings, 'as' | 'names' | 'isKnown'>): Inspection {
    const found = fields.map(({ text, ...field }) => inspectField(text, { ...field, ...shared, rules: wordRules }, settings));
    return toInspection(
      found.flatMap(({ detections }) => detections),
      found.some(({ isCut }) => isCut),
    );
  }
}

function definitionFields({ kind, value }: DefinitionInput): readonly DefinitionField[] {
  const fields = fieldsOf(value);
  return kind === 'instructions'
    ? fields.map((field) => ({ ...field, field: field.field === 'text' ? 'instructions' : field.field }))
    : fields;
}

function noteClause(seen: Map<string, Set<number>>, clause: string, index: number): false {
  const users = seen.get(clause);
  if (users === undefined) seen.set(clause, new Set([index]));
  else users.add(index);
  return false;
}

/** Clauses per definition that many share and that count at an earlier one. @param earlier is updated */
function sharedClauses(
  seen: ReadonlyMap<string, ReadonlySet<number>>,
  earlier = new Map<string, number>(),
): ReadonlyMap<number, ReadonlySet<string>> {
  const known = new Map<number, Set<string>>();
  for (const [clause, users] of seen) {
    const before = earlier.get(clause) ?? 0;
    if (before > 0 || earlier.size < MOST_SENTENCES) earlier.set(clause, before + users.size);
    if (before + users.size < DEFINITIONS_THAT_SHARE) continue;
    // Users are in the order of the definitions.
    for (const user of [...users].slice(before > 0 ? 0 : 1)) known.set(user, (known.get(user) ?? new Set<string>()).add(clause));
  }
  return known;
}

/** All detections; those that depend on shared sentences are marked as repeats. */
function withRepeats(all: Inspection, own: Inspection): Inspection {
  const isOwn = ({ rule, field, severity }: Detection): boolean =>
    own.detections.some((other) => other.rule === rule && other.field === field && other.severity === severity);
  const repeated = all.detections
    .filter((detection) => !isOwn(detection))
    .map((detection) => ({ ...detection, repeats: true as const }));
  return toInspection([...own.detections, ...repeated], all.isCut);
}

/** Joins fields in two ways, since an order may be split over blocks, between words or within one. */
function joinedFields(fields: readonly TextField[]): readonly TextField[] {
  const texts = fields.slice(0, MOST_JOINED_BLOCKS).map(({ text }) => text);
  const field = `${fields[0]?.field ?? ''}…`;
  return [' ', ''].map((between) => ({ field, text: texts.join(between).slice(0, MOST_JOINED_CHARACTERS) }));
}

function onePerRule(detections: readonly Detection[]): readonly Detection[] {
  return [...new Map(detections.map((detection) => [detection.rule, detection])).values()];
}

function toInspection(detections: readonly Detection[], isCut: boolean): Inspection {
  const sorted = detections.toSorted((one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity));
  return { detections: sorted, severity: sorted[0]?.severity, isCut };
}

/** The stored values that rules, settlings and links keep, with all that they follow from, as the definitions list them. ADR 0049. */
import { records } from '../../plugin/records/records.js'
import { type KeptIn, placesOf } from '../../plugin/schema/check/kept-places.js'
import type { Field } from '../../plugin/schema/kinds/fields.js'
import type { Definition } from '../../plugin/schema/language/define-record.js'
import { PHASES } from '../../plugin/schema/language/define-rule.js'
import type { Keeps } from '../../plugin/schema/language/keeps.js'

/** A value, and something that it follows from: `change.impact` and `task.impact`. */
export interface KeptPair {
  readonly value: string
  readonly input: string
}

const all = new Map(records.map((definition) => [definition.name, definition]))
/** Phases of rules that set values, or change other records. */
const SETTING = PHASES.filter((phase) => !phase.startsWith('check') && !['remove', 'removeAll'].includes(phase))

/** Every pair, each once. */
export function keptPairs(): readonly KeptPair[] {
  const pairs = records.flatMap((definition) => [
    ...(definition.rules ?? []).flatMap(({ does }) => pairsOf(does().keeps ?? {}, { definition, all })),
    ...(definition.settle ?? []).flatMap(({ keeps, of }) => pairsOf(keeps, { definition, sources: of, all })),
    ...Object.entries(definition.fields).flatMap(([name, { firstOf }]: [string, Field]) =>
      firstOf === undefined ? [] : [{ value: `${definition.name}.${name}`, input: `${definition.name}.${firstOf}` }],
    ),
  ])
  return [...new Map(pairs.map((pair) => [nameOf(pair), pair])).values()]
}

export function nameOf({ input, value }: KeptPair): string {
  return `${value} ← ${input}`
}

/** Fields that callers cannot set, and that are stored. */
export function readOnlyFields(): readonly string[] {
  return records.flatMap(({ fields, name: type }) =>
    Object.entries(fields).flatMap(([name, { derived, kind, readOnly }]: [string, Field]) =>
      readOnly && !derived && kind !== 'parts' ? [`${type}.${name}`] : [],
    ),
  )
}

/** Names of rules that set values or change other records, and do not say what they keep. */
export function rulesWithoutKeeps(): readonly string[] {
  const names = records.flatMap((definition) => (definition.rules ?? []).filter(isSetting).map(({ rule }) => rule))
  return [...new Set(names)].sort()
}

function isSetting({ does }: NonNullable<Definition['rules']>[number]): boolean {
  const behavior = does()
  return behavior.keeps === undefined && SETTING.some((phase) => behavior[phase] !== undefined)
}

function pairsOf(keeps: Keeps, within: KeptIn): readonly KeptPair[] {
  const places = (name: string): readonly string[] => {
    const found = placesOf(name, within)
    if ('mistake' in found || found.places.length === 0) throw new Error(`${within.definition.name} keeps '${name}': where?`)
    return found.places
  }
  return Object.entries(keeps).flatMap(([name, inputs]) =>
    places(name).flatMap((value) => inputs.flatMap(places).map((input) => ({ value, input }))),
  )
}

/** Finds what the names in `keeps` stand for. ADR 0049. */
import { ORGANIZATION } from '../language/built-in-types.js'
import type { Definition } from '../language/define-record.js'
import type { SettlingSources } from '../language/define-settling.js'

/** Values of an account that others follow from. */
const OF_ACCOUNT: readonly string[] = ['locale', ORGANIZATION, 'time_zone']

/** Where names of `keeps` are looked up. */
export interface KeptIn {
  readonly definition: Definition
  /** Sources of the settling, if a settling keeps the values. */
  readonly sources?: SettlingSources
  readonly all: ReadonlyMap<string, Definition>
}

/**
 * What a name of `keeps` stands for, as `<type>.<field>`: `{ places: ['task.status'] }`. Bases that lead to types which are not in
 * the catalog have no places.
 */
export type KeptPlaces = { readonly places: readonly string[] } | { readonly mistake: string }

/** Finds what a name of `keeps` stands for. */
export function placesOf(name: string, within: KeptIn): KeptPlaces {
  const { definition, sources = {} } = within
  const dot = name.indexOf('.')
  if (dot < 0) {
    const source = Object.hasOwn(sources, name) ? placeOfSource(name, within) : undefined
    return source === undefined ? inTypes([definition], name) : { places: source === null ? [] : [source] }
  }
  const [base, field] = [name.slice(0, dot), name.slice(dot + 1)]
  if (base !== 'account') return inTypes(typesAt(base, within), field)
  return OF_ACCOUNT.includes(field) ? { places: [name] } : { mistake: `accounts have no '${field}' to follow` }
}

function inTypes(types: readonly Definition[], field: string): KeptPlaces {
  const wrong = types.find((type) => field !== 'owner' && !Object.hasOwn({ ...type.fields, ...type.links }, field))
  if (wrong) return { mistake: `${wrong.name} has no field or link '${field}'` }
  return { places: types.map((type) => `${type.name}.${field}`) }
}

/** The types that a base leads to; none if they are not in the catalog. */
function typesAt(base: string, within: KeptIn): readonly Definition[] {
  const { all, definition, sources = {} } = within
  if (Object.hasOwn(sources, base)) return [typeOfSource(base, within)].filter((type) => type !== undefined)
  if (base === 'owner' && Array.isArray(definition.partOf)) return definition.partOf.flatMap((name) => all.get(name) ?? [])
  const field = Object.hasOwn(definition.fields, base) ? definition.fields[base] : undefined
  const type = all.get(field?.kind === 'ref' ? String(field.record) : base)
  return type ? [type] : []
}

function typeOfSource(name: string | undefined, within: KeptIn): Definition | undefined {
  const { all, definition, sources = {} } = within
  const source = name === undefined ? undefined : sources[name]
  if (!source) return definition
  if ('part' in source) return all.get(source.part)
  if ('type' in source) return all.get(source.type)
  const above = typeOfSource(source.of, within)
  return 'refersTo' in source ? all.get(above?.fields[source.refersTo]?.record ?? '') : above
}

/** What decides which records a source has; null for calendars, whose hours are no single field. */
function placeOfSource(name: string, within: KeptIn): string | null {
  const source = within.sources?.[name]
  if (!source || 'calendars' in source) return null
  if ('part' in source) return `${source.part}.owner`
  if ('type' in source) return `${source.type}.${source.by}`
  return `${typeOfSource(source.of, within)?.name}.${'link' in source ? source.link : source.refersTo}`
}

/** Compiles the relations between record types: owners and sub-records, children, links, translations. */
import type { RecordChild, RecordType } from '../catalog.js'
import { isPartOf, partsNamedBy } from '../check/check-paths.js'
import { isElsewhere } from '../kinds/kinds.js'
import { criterionOf } from '../language/conditions.js'
import type { Definition } from '../language/define-record.js'
import type { Child } from '../language/relations.js'

type Relations = Pick<RecordType, 'children' | 'coverages' | 'links' | 'parts' | 'partOf' | 'translations'>

/** Which records are sub-records of which, by the name of their type. */
export interface Ownership {
  readonly partsOf: ReadonlyMap<string, readonly Definition[]>
  readonly ownersOf: ReadonlyMap<string, readonly string[]>
}

/** Compares all types with all others, once. Both lists have the order of the definitions. */
export function compileOwnership(definitions: readonly Definition[]): Ownership {
  const parts = definitions.filter(({ partOf }) => partOf !== undefined)
  const partsOf = new Map(
    definitions.map((owner) => {
      const named = partsNamedBy(owner)
      return [owner.name, parts.filter((part) => isPartOf(part, owner, named))]
    }),
  )
  const owners = [...partsOf]
  const ownersOf = new Map(
    parts.map((part) => [part.name, owners.flatMap(([owner, its]) => (its.includes(part) ? [owner] : []))]),
  )
  return { partsOf, ownersOf }
}

/**
 * The relations of a type, without those to types that are absent from the catalog.
 *
 * @param all every definition, extensions included, by name
 */
export function compileRelations(
  definition: Definition,
  all: ReadonlyMap<string, Definition>,
  { ownersOf, partsOf }: Ownership,
): Relations {
  const parts = partsOf.get(definition.name) ?? []
  const isThere = ([, { record }]: readonly [string, { readonly record: string }]) => all.has(record)
  const present = <T extends { readonly record: string }>(relations: { readonly [name: string]: T } | undefined) =>
    Object.entries(relations ?? {}).filter(isThere)
  return {
    children: new Map(present(definition.children).map(([name, child]) => [name, compileChild(child, all)])),
    coverages: new Map(
      present(definition.coverages).map(([name, { record, where }]) => [name, { record, where: criterionOf(where) }]),
    ),
    links: new Map(present(definition.links)),
    parts: new Map(parts.map((part) => [part.pathBelow ?? part.path, part.name])),
    partOf: ownersOf.get(definition.name) ?? [],
    translations: translationsOf(definition, parts),
  }
}

function compileChild({ record, by, link }: Child, all: ReadonlyMap<string, Definition>): RecordChild {
  const paths = [by].flat().map((path) => path.split('.'))
  const only = typeof by === 'string' ? by : null
  const child = all.get(record)
  const field = only === null ? undefined : child?.fields[only]
  const isMadeElsewhere = child?.operations?.includes('create') ?? true
  return {
    record,
    by: paths,
    linkedWith: link ? only : null,
    createdWith: field?.required && !field.readOnly && !isMadeElsewhere ? only : null,
  }
}

function translationsOf(definition: Definition, parts: readonly Definition[]): RecordType['translations'] {
  const translation = parts.find((part) => part.translates)
  if (!translation) return null
  const fields = Object.entries(translation.fields).filter(([name, field]) => {
    return name !== 'id' && !isElsewhere(field) && Object.hasOwn(definition.fields, name)
  })
  return { record: translation.name, fields: new Set(fields.map(([name]) => name)) }
}

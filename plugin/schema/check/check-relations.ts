/** Reports mistakes in links, children, sub-records and translations. */
import type { Field } from '../kinds/fields.js'
import { isElsewhere, kindOf } from '../kinds/kinds.js'
import { PERSON } from '../language/built-in-types.js'
import type { Definition } from '../language/define-record.js'
import type { Child, CoverageList, Link } from '../language/relations.js'
import { NAME, type Report } from './check-names.js'
import { type Definitions, fieldOf, hasColumn, hasField, isPartOf, mistakeInPath, mistakesOfCondition } from './check-paths.js'

/** Reports every mistake in the relations of a definition to other record types. */
export function checkRelations(definition: Definition, all: Definitions, report: Report): void {
  checkNamed(report, '.links', 'a link', definition.links, (link) => mistakesOfLink(link, definition, all))
  checkNamed(report, '.children', 'a list', definition.children, (child) => mistakesOfChild(child, definition, all))
  checkNamed(report, '.coverages', 'a list', definition.coverages, (list) => mistakesOfCoverage(list, definition, all))
  for (const part of definition.parts ?? []) {
    const other = all.get(part)
    const from = `parts=${part}`
    if (!other) report('.parts', `there is no record type '${part}'`, from)
    else if (!other.partOf) report('.parts', `${part} must be a sub-record; give it a partOf, which may be empty`, from)
  }
  for (const owner of definition.partOf === '*' ? [] : (definition.partOf ?? [])) {
    if (!all.has(owner)) report('.partOf', `there is no record type '${owner}'`)
  }
  for (const { name, uses } of namesTwice(definition, all)) {
    const [last = '', ...others] = uses.toReversed()
    const where = last.startsWith('parts=') ? '.parts' : `.${last}`
    report(
      where,
      `'${name}' is used twice below a record, also for ${others.join(', ').replaceAll('parts=', 'the sub-records ')}`,
      last,
    )
  }
  if (definition.translates) for (const text of mistakesInTranslating(definition, all)) report('.translates', text)
}

/** Reports names that are no part of a path, and the mistakes of what has them. */
export function checkNamed<T>(
  report: Report,
  where: string,
  noun: string,
  named: { readonly [name: string]: T } | undefined,
  mistakesOf: (one: T) => readonly string[],
): void {
  for (const [name, one] of Object.entries(named ?? {})) {
    const place = `${where}.${name}`
    if (!NAME.test(name)) report(place, `the name of ${noun} must be lower case letters, digits and underscores`)
    for (const text of mistakesOf(one)) report(place, text)
  }
}

/** The names below a record, with the parts of the definition that use them, by their names in `merge.ts`. */
export function namesBelow(definition: Definition, all: Definitions): readonly (readonly [name: string, use: string])[] {
  const parts = [...all.values()].filter((part) => isPartOf(part, definition))
  return [
    ...parts.map((part) => [part.pathBelow ?? part.path, `parts=${part.name}`] as const),
    ...(['links', 'children', 'coverages'] as const).flatMap((kind) =>
      Object.keys(definition[kind] ?? {}).map((name) => [name, `${kind}.${name}`] as const),
    ),
  ]
}

interface NameTwice {
  readonly name: string
  /** The parts of the definition that use it, by their names in `merge.ts`: `parts=seal`, `links.people`. */
  readonly uses: readonly string[]
}

/** Names that several links, children, coverages or sub-records use: they share the URL paths below a record. */
function namesTwice(definition: Definition, all: Definitions): readonly NameTwice[] {
  const uses = namesBelow(definition, all)
  const names = new Set(uses.map(([name]) => name))
  return [...names]
    .map((name) => ({ name, uses: uses.filter(([other]) => other === name).map(([, use]) => use) }))
    .filter((one) => one.uses.length > 1)
}

function mistakesOfLink(link: Link, definition: Definition, all: Definitions): string[] {
  const mistakes: string[] = []
  const other = all.get(link.record)
  if (!other) mistakes.push(`there is no record type '${link.record}'`)
  for (const name of [link.table, link.from, link.to, link.singular ?? 'one']) {
    if (!NAME.test(String(name))) mistakes.push(`'${name}' is not lower case letters, digits and underscores`)
  }
  if (link.from === link.to) mistakes.push('from and to are the same column')
  if (link.acyclic && link.record !== definition.name) {
    mistakes.push('acyclic needs a link between records of the same type; remove it')
  }
  if (link.within) {
    for (const one of new Set([definition, other])) {
      const field = fieldOf(one, link.within.field)
      if (one && (!field || !hasColumn(field)))
        mistakes.push(`within: ${one.name} does not store a field '${link.within.field}'`)
    }
    if (!link.within.code) mistakes.push('within: must have a code for the violation')
  }
  for (const name of Object.keys(link.onlyWhile ?? {})) {
    const field = fieldOf(definition, name)
    if (!field || !hasColumn(field)) mistakes.push(`onlyWhile: '${name}' must be a stored field`)
  }
  if (link.orderedBy !== undefined) mistakes.push(...mistakesInOrder(link.orderedBy, link, definition, all))
  return mistakes
}

function mistakesInOrder(name: string, { record }: Link, definition: Definition, all: Definitions): string[] {
  const part = all.get(name)
  if (!part || !isPartOf(part, definition)) return [`orderedBy: records of '${name}' are not sub-records of ${definition.name}`]
  const ends = Object.values(part.fields).filter((field) => field.kind === 'ref' && field.record === record && hasColumn(field))
  return ends.length === 2 ? [] : [`orderedBy: ${name} must have two stored references to a ${record}`]
}

function mistakesOfCoverage({ record, where }: CoverageList, definition: Definition, all: Definitions): string[] {
  if (definition.name !== PERSON) return [`only records of the type '${PERSON}' can be covered`]
  const covered = all.get(record)
  return covered ? mistakesOfCondition(where, covered, all) : []
}

function mistakesOfChild(child: Child, definition: Definition, all: Definitions): string[] {
  const other = all.get(child.record)
  if (!other) return [`there is no record type '${child.record}'`]
  const mistakes = [child.by].flat().flatMap((by) => mistakeInPath(by, other, definition, all) ?? [])
  if (mistakes.length > 0 || !child.link) return mistakes
  const field = typeof child.by === 'string' ? fieldOf(other, child.by) : undefined
  return field && hasColumn(field) ? [] : ['link needs a stored reference of the child itself']
}

/** Fields that belong to the translation itself. */
const OWN = new Set(['id', 'locale', 'created_at', 'updated_at'])

function mistakesInTranslating(definition: Definition, all: Definitions): string[] {
  const owners = [...all.values()].filter((other) => isPartOf(definition, other))
  const [owner] = owners
  if (!owner || owners.length > 1) return ['a translation must be a sub-record of exactly one record type']
  const mistakes: string[] = []
  if (!hasField(definition, 'locale')) mistakes.push("must have a field 'locale' with the language")
  if (!definition.unique?.some((group) => group.join() === 'locale')) {
    mistakes.push("must have unique: [['locale']], for one translation per language")
  }
  for (const [name, field] of Object.entries(definition.fields)) {
    if (OWN.has(name) || isElsewhere(field)) continue
    if (!isTranslation(field, fieldOf(owner, name))) mistakes.push(`'${name}' must be a stored text of ${owner.name}`)
  }
  return mistakes
}

function isTranslation(field: Field, original: Field | undefined): boolean {
  return original !== undefined && kindOf(field).isText === true && kindOf(original).isText === true && hasColumn(original)
}

/** Reports mistakes in criteria that are created at run time: those of a host, which may be unchecked by TypeScript. */
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { isElsewhere } from '../kinds/kinds.js'
import { mistakeInWholeNumber } from '../kinds/values/numbers.js'
import { ORGANIZATION, PERSON, TEAM } from '../language/built-in-types.js'
import { COMPARISONS, type Criterion, PLACEHOLDERS, type Placeholder } from '../language/conditions.js'
import { fileKeyOf } from '../language/derived.js'
import type { Link } from '../language/relations.js'
import { mistakeInTest, textMistake } from './check-tests.js'

/** Columns that are not fields, but can be tested in records of any type. */
const OTHER_COLUMNS = ['account', 'account_id', 'owner_type', 'owner_id']
const OPERATORS: readonly string[] = ['in', 'not in', ...COMPARISONS]

/** The record types whose ids a placeholder has. */
const MEANT: { readonly [P in Placeholder['placeholder']]?: string } = {
  me: PERSON,
  my_teams: TEAM,
  my_organization: ORGANIZATION,
  internal_organizations: ORGANIZATION,
}
type Tested = Extract<Criterion, { path: readonly string[] }>

/** All mistakes in the paths, the comparisons and the values of a criterion on records of the type. */
export function mistakesInCriterion(catalog: Catalog, type: RecordType, criterion: Criterion): readonly string[] {
  const inside = (other: RecordType, one: Criterion) => mistakesInCriterion(catalog, other, one)
  if ('all' in criterion) return criterion.all.flatMap((one) => inside(type, one))
  if ('any' in criterion) return criterion.any.flatMap((one) => inside(type, one))
  if ('owner' in criterion) {
    const isOwner = type.partOf.includes(criterion.owner)
    return isOwner
      ? inside(catalog.type(criterion.owner), criterion.where)
      : [`${type.name} is not a sub-record of '${criterion.owner}'`]
  }
  if ('part' in criterion) {
    const part = catalog.types.get(type.parts.get(criterion.part) ?? '')
    return part ? inside(part, criterion.where) : [`${type.name} has no sub-records '${criterion.part}'`]
  }
  if ('linkedBy' in criterion) return mistakesInLink(catalog, type, criterion)
  return mistakesInTest(catalog, type, criterion)
}

function mistakesInLink(catalog: Catalog, type: RecordType, { linkedBy, id }: Extract<Criterion, { linkedBy: object }>) {
  const leadsHere = ({ record, table, from, to }: Link) =>
    record === type.name && table === linkedBy?.table && from === linkedBy.from && to === linkedBy.to
  const isKnown = [...catalog.types.values()].some(({ links }) => [...links.values()].some(leadsHere))
  if (!isKnown) return [`linkedBy: no such link leads to ${type.name}`]
  return Number.isSafeInteger(id) ? [] : [`linkedBy: the id must be a number, not ${shown(id)}`]
}

function mistakesInTest(catalog: Catalog, type: RecordType, { path, op, values }: Tested): readonly string[] {
  const name = `'${path.map(String).join('.')}'`
  const end = endOf(catalog, type, path)
  if (typeof end === 'string') return [`${name}: ${end}`]
  if (!OPERATORS.includes(op)) return [`${name}: there is no comparison ${shown(op)}`]
  if (!Array.isArray(values)) return [`${name}: ${shown(values)} is not a list of values`]
  if (op !== 'in' && op !== 'not in' && values.length !== 1) return [`${name}: ${op} compares with one value`]
  return values.flatMap((value: unknown) => {
    const mistake = mistakeInValue(end, value)
    return mistake === null ? [] : [`${name}: ${mistake}`]
  })
}

/** The end of a path: a field, a link, or a column that is not a field. */
type End = { readonly field: RecordField } | { readonly link: Link } | { readonly column: string }

/** The end of a path, or a mistake in it. */
function endOf(catalog: Catalog, start: RecordType, path: readonly string[]): End | string {
  let type = start
  for (const step of path.slice(0, -1)) {
    const field = type.fields.get(step)
    const isRef = field?.kind === 'ref' && (field.column !== null || field.via !== null)
    const part = isRef ? undefined : type.parts.get(step)
    if (!isRef && part === undefined) return field ? `'${step}' is not a reference` : missing(type, step)
    const next = catalog.types.get(part ?? field?.record ?? '')
    if (!next) return `there is no record type '${field?.record}'`
    type = next
  }
  const last = String(path[path.length - 1] ?? '')
  const link = type.links.get(last)
  if (link) return { link }
  const field = type.fields.get(last) ?? type.columns.get(last)
  if (!field) return OTHER_COLUMNS.includes(last) ? { column: last } : missing(type, last)
  const isStored = !field.writeOnly && !isElsewhere(field) && fileKeyOf(field) === undefined
  return isStored ? { field } : `'${last}' is not stored`
}

function missing(type: RecordType, name: string): string {
  const names = [...type.fields.keys(), ...type.links.keys(), ...type.parts.keys(), ...OTHER_COLUMNS]
  return `${type.name} has no field '${name}'${suggestion(name, names)}`
}

function mistakeInValue(end: End, value: unknown): string | null {
  if (value === null) return null
  if (typeof value === 'object') return mistakeInPlaceholder(end, value)
  if ('column' in end) return end.column === 'owner_id' ? mistakeInWholeNumber(value) : textMistake(value)
  return 'link' in end ? mistakeInWholeNumber(value) : mistakeInTest(value, end.field)
}

function mistakeInPlaceholder(end: End, value: object): string | null {
  const { placeholder } = value as { readonly placeholder?: unknown }
  const known = PLACEHOLDERS.find((one) => one === placeholder)
  if (!known) return `${shown(value)} is not a value`
  const meant = MEANT[known]
  const record = 'link' in end ? end.link.record : 'field' in end && end.field.kind === 'ref' ? end.field.record : undefined
  return meant && record && record !== meant ? `${known} must be compared with a ${meant}, not with a ${record}` : null
}

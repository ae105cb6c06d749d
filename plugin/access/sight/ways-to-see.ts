/**
 * The people, teams and organizations by which a condition shows a record to callers. `{ team: myTeams }` ties it to its team,
 * and so to the account of that team: the record is visible to people there.
 */
import type { Catalog, RecordField, RecordType } from '../../schema/catalog.js'
import { type Criterion, hasValue, isPlaceholder, type Placeholder } from '../../schema/language/conditions.js'
import type { Link } from '../../schema/language/relations.js'

/** Tie of a record: the end of a path over references, a link, or one of its sub-records. */
export type Tie =
  | { readonly path: readonly string[] }
  | { readonly link: Link }
  | { readonly part: RecordType; readonly path: readonly string[] }

/** One way to see a record: all ties lead to the same account, and the other criteria are met. */
export interface Way {
  readonly ties: readonly Tie[]
  /** The criteria that tie the record to the acting person, with their placeholders. */
  readonly mine: readonly Criterion[]
  readonly rest: readonly Criterion[]
}

type Word = Placeholder['placeholder']

/** Placeholders for people, teams or organizations of the acting person. */
const TYING: ReadonlySet<Word> = new Set<Word>(['me', 'my_teams', 'my_organization'])
/** Placeholders with the same values for all people. */
const COMMON: ReadonlySet<Word> = new Set<Word>(['now', 'six_months_ago', 'three_months_ago'])

/**
 * The ways in which a criterion can be met. Those that cannot be decided for an account as a whole are omitted: criteria on a
 * role or an agreement of one person, and negated ones on a person.
 */
export function waysToSee(catalog: Catalog, type: RecordType, criterion: Criterion): readonly Way[] {
  if ('any' in criterion) return criterion.any.flatMap((one) => waysToSee(catalog, type, one))
  if ('all' in criterion) return together(criterion.all.map((one) => waysToSee(catalog, type, one)))
  if (!dependsOnPerson(criterion)) return [{ ties: [], mine: [], rest: [criterion] }]
  if (!('path' in criterion)) return []
  const words = criterion.values.filter(isPlaceholder)
  const isTying = criterion.op === 'in' && words.every(({ placeholder }) => TYING.has(placeholder))
  const tie = isTying && words.length === criterion.values.length ? tieOf(catalog, type, criterion.path) : null
  return tie ? [{ ties: [tie], mine: [criterion], rest: [] }] : []
}

/** True if every record that meets the criterion is tied to the acting person: a list such as `assigned_to_my_team`. */
export function isOfPerson(criterion: Criterion): boolean {
  if ('all' in criterion) return criterion.all.some(isOfPerson)
  if ('any' in criterion) return criterion.any.length > 0 && criterion.any.every(isOfPerson)
  if (!('path' in criterion) || criterion.op !== 'in') return false
  return criterion.values.every((value) => isPlaceholder(value) && TYING.has(value.placeholder))
}

/** Combines each way of the first list with each way of the others, because all conditions have to hold at once. */
function together(all: readonly (readonly Way[])[]): readonly Way[] {
  return all.reduce<readonly Way[]>(
    (ways, more) =>
      ways.flatMap((way) =>
        more.map((other) => ({
          ties: [...way.ties, ...other.ties],
          mine: [...way.mine, ...other.mine],
          rest: [...way.rest, ...other.rest],
        })),
      ),
    [{ ties: [], mine: [], rest: [] }],
  )
}

/** Null for a path that cannot be looked up for many records at once. */
function tieOf(catalog: Catalog, type: RecordType, path: readonly string[]): Tie | null {
  const [first = '', ...rest] = path
  const field = type.fields.get(first)
  if (field?.kind !== 'ref') {
    const link = type.links.get(first)
    if (link && rest.length === 0) return { link }
    const part = catalog.types.get(type.parts.get(first) ?? '')
    return part && rest.length > 0 && leadsByReferences(catalog, part, rest) ? { part, path: rest } : null
  }
  return leadsByReferences(catalog, type, path) ? { path } : null
}

function leadsByReferences(catalog: Catalog, type: RecordType, path: readonly string[]): boolean {
  let at: RecordType | undefined = type
  for (const step of path) {
    const field: RecordField | undefined = at?.fields.get(step)
    at = field?.kind === 'ref' ? catalog.types.get(field.record ?? '') : undefined
  }
  return at !== undefined
}

/** True if the criterion depends on the acting person. */
function dependsOnPerson(criterion: Criterion): boolean {
  return hasValue(criterion, (value) => isPlaceholder(value) && !COMMON.has(value.placeholder))
}

/** Lookups of rules in other records, run for a whole batch at once. */
import type { Call, Role } from '../../core/call.js'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import { folded } from '../../core/text/identity.js'
import { shown } from '../../core/text/shown.js'
import { AROUND_THE_CLOCK } from '../../core/time/working-time.js'
import { decode } from '../../schema/derive/columns.js'
import type { Json } from '../../schema/kinds/fields.js'
import { columnOf } from '../../schema/kinds/kinds.js'
import { CALENDAR, PERSON } from '../../schema/language/built-in-types.js'
import { type Condition, type Criterion, criterionOf, type Scalar } from '../../schema/language/conditions.js'
import type { Row, RuleContext } from '../../schema/language/define-rule.js'
import { dbOf } from '../../storage/database/transaction.js'
import { MAX_RECORDS } from '../../storage/records/query.js'
import { readCalendars } from '../read/calendars.js'
import { frozenRow } from '../work/own-objects.js'
import type { Unit } from '../work/unit.js'
import type { LookupDeps } from '../work/work-deps.js'
import { keyOfCondition, mustHaveNames, placeOf } from './ask-names.js'
import { createGathering, type Gathering } from './gather.js'
import { linkLookups } from './link-lookups.js'
import { rolesIn } from './roles-in.js'
import { idIn, mustBeCondition } from './rule-arguments.js'
import { mustBeLink } from './rule-names.js'

/** Maximum number of records that a rule finds for a batch. More would not fit into memory in addition to the batch. */
export const MAX_FOUND = MAX_RECORDS

/** The lookups of a batch. Arguments that depend on the asking record are passed by the caller. */
export interface Asks
  extends Pick<
      RuleContext,
      'load' | 'find' | 'findBy' | 'valuesOf' | 'isReferred' | 'linked' | 'linkedIds' | 'calendarOf' | 'accountZone'
    >,
    Pick<Gathering, 'isIdle' | 'idle' | 'close'> {
  /** Roles of a person in an account, as far as they were granted there. */
  rolesOf(personId: number, accountId: string): Promise<ReadonlySet<Role>>
}

/** @param references rows of the transaction, shared with the other steps of the save */
export function createAsks(
  deps: LookupDeps,
  call: Call,
  references: Pick<Unit, 'prefetch' | 'load' | 'lock' | 'share' | 'found' | 'isPaired'>,
): Asks {
  const gathering = createGathering()
  const { ask } = gathering
  const db = () => dbOf(deps.storage, call)

  const ownWhere = (criteria: readonly Criterion[], trusted = false) => {
    const account = trusted ? [call.account.id, ...call.trusted] : call.account.id
    return deps.scope.resolve(call, { all: [criterionOf({ account }), ...criteria] })
  }

  const inAccount = async (
    typeName: string,
    criteria: readonly Criterion[],
    { lock = false, trusted = false, mayBeMore = false } = {},
  ): Promise<readonly Row[]> => {
    const type = deps.catalog.type(typeName)
    mustHaveNames(deps.catalog, type, criteria)
    const where = await ownWhere(criteria, trusted)
    const read = async () => {
      const rows = await deps.queries.rows(call, { type, where, limit: MAX_FOUND + 1 }, { lock })
      if (rows.length > MAX_FOUND && !mayBeMore)
        throw new RangeError(`A rule may find at most ${MAX_FOUND} records of ${typeName}`)
      // Several rules may get the same rows.
      return rows.map((row) => frozenRow(type, row))
    }
    return lock ? read() : references.found(typeName, where, read)
  }

  const { idsLinked, idsFrom } = linkLookups(deps, call, references)

  const findBy = async (
    typeName: string,
    field: string,
    values: readonly Scalar[],
    and?: Condition,
    options: { readonly lock?: true; readonly trusted?: true } = {},
  ): Promise<readonly (readonly Row[])[]> => {
    const type = deps.catalog.type(typeName)
    const { column, isText } = placeOf(type, field)
    const different = [...new Set(values)]
    const alone = async (some: readonly Scalar[]) => {
      const found = new Map<Scalar, readonly Row[]>()
      for (const value of some) found.set(value, (await findBy(typeName, field, [value], and, options))[0] ?? [])
      return values.map((value) => found.get(value) ?? [])
    }
    const isOneOf: Criterion = { path: [field], op: 'in', values: different, text: 'ignoreCase' }
    const criteria = [isOneOf, ...(and ? [criterionOf(and)] : [])]
    const alike = await inAccount(typeName, criteria, { ...options, mayBeMore: different.length > 1 })
    // For a text without a key, collations know more equal texts than we do.
    const isAny = new Set(different.map((value) => folded(String(value))))
    const rows = isText ? alike.filter((row) => isAny.has(folded(String(row[column] ?? '')))) : alike
    if (different.length === 1) return values.map(() => rows)
    // More than a batch may find can still be little enough for each record.
    if (rows.length > MAX_FOUND) return alone(different)
    if (type.links.has(field)) {
      const ids = rows.map((row) => Number(row['id']))
      const pairs = await idsLinked(typeName, field, ids, different.map(Number))
      return values.map((value) => rows.filter((row) => pairs.has(`${row['id']} ${Number(value)}`)))
    }
    const keyOf = (value: Json) => (isText ? folded(String(value)) : String(value))
    const byValue = new Map<string, Row[]>(different.map((value) => [keyOf(value), []]))
    for (const row of rows) byValue.get(keyOf(row[column] ?? null))?.push(row)
    return values.map((value) => byValue.get(keyOf(value)) ?? [])
  }

  const valuesOf = async (typeName: string, field: string, by: string, ids: readonly number[], and?: Condition) => {
    const type = deps.catalog.type(typeName)
    mustHaveNames(deps.catalog, type, and ? [criterionOf(and)] : [])
    const places = [by, field].map((name) => [placeOf(type, name).column])
    const column = type.columns.get(places[1]?.[0] ?? '')
    const found = new Map<number, Json[]>(ids.map((id) => [id, []]))
    for (const some of chunksOf([...found.keys()], MAX_VALUES)) {
      const where = await ownWhere([{ path: [by], op: 'in', values: some }, ...(and ? [criterionOf(and)] : [])])
      const cells = await deps.queries.cells(call, { type, where, isDistinct: true }, places)
      for (const [id, value] of cells) found.get(Number(id))?.push(column ? decode(columnOf(column), value) : Number(value))
    }
    return ids.map((id) => found.get(id) ?? [])
  }

  const referred = async (typeName: string, field: string, ids: readonly number[]) => {
    const type = deps.catalog.type(typeName)
    const column = type.fields.get(field)?.column ?? field
    const found = new Set<number>()
    for (const some of chunksOf([...new Set(ids)], MAX_VALUES)) {
      const rows: Record<string, unknown>[] = await db()(deps.storage.table(type.table))
        .where('account_id', call.account.id)
        .whereIn(column, [...some])
        .distinct(column)
      for (const row of rows) found.add(Number(row[column]))
    }
    return ids.map((id) => found.has(id))
  }

  const locked = async (typeName: string, ids: readonly number[]) => {
    const rows = await references.lock(typeName, ids)
    return ids.map((id) => rows.get(id) ?? null)
  }

  return {
    isIdle: gathering.isIdle,
    idle: gathering.idle,
    close: gathering.close,
    async load(typeName, id, options) {
      deps.catalog.type(typeName)
      const wanted = idIn(typeName, id)
      if (wanted === null) return null
      return ask(`load ${typeName} ${options?.lock ?? ''}`, wanted, async (ids) => {
        if (options?.lock === true) return locked(typeName, ids)
        await references[options?.lock ? 'share' : 'prefetch'](typeName, ids)
        return Promise.all(ids.map((one) => references.load(typeName, one)))
      })
    },
    async findBy(typeName, field, value, and, options) {
      placeOf(deps.catalog.type(typeName), field)
      if (value === null || value === undefined || Number.isNaN(value)) return []
      if (typeof value === 'object')
        throw new TypeError(`findBy('${typeName}', '${field}'): ${shown(value)} is no single value`)
      const key = `findBy ${typeName} ${field} ${keyOfCondition(and)} ${options?.lock} ${options?.trusted}`
      return ask(key, value, (values) => findBy(typeName, field, values, and, options))
    },
    async valuesOf(typeName, field, by, id, and) {
      for (const name of [field, by]) placeOf(deps.catalog.type(typeName), name)
      const key = `valuesOf ${typeName} ${field} ${by} ${keyOfCondition(and)}`
      const owner = idIn(deps.catalog.type(typeName).fields.get(by)?.record ?? by, id)
      return owner === null ? [] : ask(key, owner, (ids) => valuesOf(typeName, field, by, ids, and))
    },
    async isReferred(typeName, field, id) {
      const type = deps.catalog.type(typeName)
      placeOf(type, field)
      const to = idIn(type.fields.get(field)?.record ?? field, id)
      return to === null ? false : ask(`isReferred ${typeName} ${field}`, to, (ids) => referred(typeName, field, ids))
    },
    async find(typeName, condition) {
      deps.catalog.type(typeName)
      mustBeCondition('find', typeName, condition)
      return ask(`find ${typeName} ${keyOfCondition(condition)}`, condition, async (all) => {
        const rows = await inAccount(typeName, [criterionOf(condition)])
        return all.map(() => rows)
      })
    },
    async linked(typeName, id, link, otherId) {
      const type = deps.catalog.type(typeName)
      mustBeLink(type, link)
      const [from, to] = [idIn(typeName, id), idIn(type.links.get(link)?.record ?? '', otherId)]
      if (from === null || to === null) return false
      return ask(`linked ${typeName} ${link}`, [from, to] as const, async (pairs) => {
        const found = await idsLinked(
          typeName,
          link,
          pairs.map(([from]) => from),
          pairs.map(([, to]) => to),
        )
        return pairs.map(([from, to]) => found.has(`${from} ${to}`))
      })
    },
    async linkedIds(typeName, id, link) {
      mustBeLink(deps.catalog.type(typeName), link)
      const from = idIn(typeName, id)
      return from === null ? [] : ask(`linkedIds ${typeName} ${link}`, from, (ids) => idsFrom(typeName, link, ids))
    },
    async calendarOf(id) {
      const calendar = idIn(CALENDAR, id)
      if (calendar === null) return AROUND_THE_CLOCK
      return ask('calendarOf', calendar, async (ids) => {
        const calendars = await readCalendars(deps, call, ids)
        return ids.map((one) => calendars.get(one) ?? AROUND_THE_CLOCK)
      })
    },
    accountZone: () =>
      ask('accountZone', null, async (all) => {
        const zone = await deps.accountZone(call)
        return all.map(() => zone)
      }),
    rolesOf: async (personId, accountId) => {
      const person = idIn(PERSON, personId)
      if (person === null) return new Set()
      return ask(`roles ${accountId}`, person, async (ids) => {
        const roles = await rolesIn(deps.storage, call, accountId, ids)
        return ids.map((id) => roles.get(id) ?? new Set())
      })
    },
  }
}

/**
 * What a caller may do with records of a type, for clients that show only what is possible: by the same decisions as the write
 * itself, before it (behaviour: What callers may do).
 */
import { allows, type Fields } from '../../access/sight/decide.js'
import {
  type Asking,
  type FieldReach,
  granted,
  type HostsAnswer,
  type Reach,
  reachOf,
  reachOfField,
  type Writing,
} from '../../access/sight/in-general.js'
import { allowsAction, opensType } from '../../access/tokens/token-limits.js'
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/catalog.js'
import { isOffered } from '../../schema/derive/permission-table.js'
import { settableFields, settableLinks, shownFields } from '../../schema/derive/settable-names.js'
import type { PassedCalls } from '../read/passed-on.js'
import { mayRefer } from '../read/visible.js'
import type { WriteDeps } from '../save/related/write-deps.js'
import { allowedWith, type RecordAllowance } from './allowed-with.js'
import { type SeenRecord, seenRecords } from './seen-records.js'

/** What the caller may do in general, before a record is known. */
export interface GeneralAllowance {
  /** Name of the record type. */
  readonly type: string
  /** `all`: every record of the account; `some`: those that the caller sees; `none`: all calls are refused. */
  readonly read: Reach
  readonly create: Reach
  readonly update: Reach
  readonly remove: Reach
  /** By the name of a field or link. */
  readonly fields: { readonly [name: string]: FieldReach }
}

/** Tells callers what they may do. */
export interface Allowances {
  /** What the definition, the token and, for new records, the host allow in general. */
  inGeneral(call: Call, type: RecordType): Promise<GeneralAllowance>
  /** What is allowed for each record, in the order of the ids. The number of queries does not depend on how many these are. */
  ofRecords(call: Call, type: RecordType, ids: readonly number[]): Promise<readonly RecordAllowance[]>
}

const WRITES: readonly Writing[] = ['create', 'update', 'remove']
const NO_FIELDS: Fields = new Set()

/** @param callsAt finds the accounts from which records were passed on */
export function createAllowances(deps: WriteDeps, callsAt: PassedCalls): Allowances {
  const { catalog, decisions, scope } = deps
  const openWrites = (call: Call, type: RecordType): ReadonlySet<Writing> =>
    new Set(WRITES.filter((action) => isOffered(catalog, type, action) && allowsAction(call, action, type, null)))

  const hostsAnswer = async (call: Call, type: RecordType): Promise<HostsAnswer> => {
    // A sub-record has an owner, on which the decision may depend.
    if (type.partOf.length > 0) return { created: null }
    if (await allows(decisions, call, 'create', type, null))
      return { created: await decisions.fields(call, 'create', type, null) }
    return { created: granted(call, type.access.create) === 'some' ? null : NO_FIELDS }
  }

  const readReach = async (call: Call, type: RecordType): Promise<Reach> =>
    (await scope.knowsAll(call, type)) && !decisions.asksHost ? 'all' : 'some'

  return {
    async inGeneral(call, type) {
      const isOpened = opensType(call, type) && (await decisions.isOpen(call, type))
      const open = isOpened ? openWrites(call, type) : new Set<Writing>()
      const host = decisions.asksHost && open.has('create') ? await hostsAnswer(call, type) : { created: null }
      const asking: Asking = { call, type, open, host: decisions.asksHost ? host : null }
      const settable = new Set([...settableFields(type, catalog).map(({ name }) => name), ...settableLinks(type)])
      const names = new Set([...shownFields(type).map(({ name }) => name), ...settable])
      const fields = [...names].map((name): readonly [string, FieldReach] => {
        const reach = reachOfField(asking, name)
        return [name, settable.has(name) ? reach : { ...reach, create: 'none', update: 'none' }]
      })
      return {
        type: type.name,
        read: isOpened ? await readReach(call, type) : 'none',
        create: reachOf(asking, 'create'),
        update: reachOf(asking, 'update'),
        remove: reachOf(asking, 'remove'),
        fields: Object.fromEntries(fields),
      }
    },

    async ofRecords(call, type, ids) {
      const isOpened = opensType(call, type) && (await mayRefer(deps, call, type))
      const seen = isOpened ? await seenRecords(deps, callsAt, call, type, ids) : new Map<number, SeenRecord>()
      const allowed = await allowedWith(deps, call, type, [...seen.values()])
      return ids.map((id) => allowed.get(id) ?? { id, read: false })
    },
  }
}

/** What a caller may do with records of a type in general: with all of them, with some, which depends on the record, or with none. */
import { type Call, hasRole } from '../../core/call.js'
import type { RecordField, RecordType } from '../../schema/catalog.js'
import { PROVENANCE, PROVENANCE_CHANGERS } from '../../schema/kinds/common-fields.js'
import { type Grant, isLimited, type Who, whoOf } from '../../schema/language/who.js'
import type { Action, Fields } from './decide.js'

/** `some`: it depends on the record, on the people and teams that it names, on the roles of the person that it is about, or on the host. */
export type Reach = 'all' | 'some' | 'none'

/** What writes can do, apart from reading. */
export type Writing = Exclude<Action, 'read'>

/** What is allowed for one field or link: in records that the caller sees, creates, or changes. */
export interface FieldReach {
  readonly read: Reach
  readonly create: Reach
  readonly update: Reach
}

/** Who asks about which type, and what is known of it already. */
export interface Asking {
  readonly call: Call
  readonly type: RecordType
  /** What some URL offers, and the type and the token allow at all. */
  readonly open: ReadonlySet<Writing>
  /** Set if the host decides. */
  readonly host: HostsAnswer | null
}

/** The decision of the host on new records. On others it decides one by one. */
export interface HostsAnswer {
  /** Fields that the caller may set in a record that names nobody, empty if it may not create one; null if it depends on the record. */
  readonly created: Fields | null
}

/** The records with which the caller may do this. */
export function reachOf({ call, host, open, type }: Asking, action: Writing): Reach {
  if (!open.has(action)) return 'none'
  if (host && action === 'create' && host.created) return host.created === 'all' || host.created.size > 0 ? 'all' : 'none'
  return host ? 'some' : granted(call, type.access[action] ?? [])
}

/** What is allowed for a field or link, by its name. */
export function reachOfField(asking: Asking, name: string): FieldReach {
  const field = asking.type.fields.get(name)
  return {
    read: field ? reachToRead(asking.call, field) : 'all',
    create: withinField(asking, name, 'create'),
    update: withinField(asking, name, 'update'),
  }
}

/** What is granted by the definition alone. */
export function granted(call: Call, grants: readonly Grant[]): Reach {
  return most(grants.map((grant) => reachOfWho(call, whoOf(grant))))
}

function reachToRead(call: Call, { hidden, read, writeOnly }: RecordField): Reach {
  if (hidden || writeOnly) return 'none'
  return read ? most(read.map((who) => reachOfWho(call, who))) : 'all'
}

function withinField({ call, host, open, type }: Asking, name: string, action: 'create' | 'update'): Reach {
  if (!open.has(action)) return 'none'
  const field = type.fields.get(name)
  // Pairs of ids and values are another form of the field that they are stored in.
  const grantedAs = field?.pairsOf ?? name
  const byField = field ? reachByField(call, field, action) : 'all'
  if (host && action === 'create' && host.created)
    return host.created === 'all' || host.created.has(grantedAs) ? byField : 'none'
  const covering = type.access[action].filter((grant) => covers(grant, grantedAs))
  return least([host ? 'some' : granted(call, covering), byField])
}

/** What the field itself allows, whoever may write the record. */
function reachByField(call: Call, { guardedBy, name, only, write }: RecordField, action: 'create' | 'update'): Reach {
  const byWriters = write ? most(write.map((who) => reachOfWho(call, who))) : 'all'
  if (action === 'create') return byWriters
  if (only === 'create') return 'none'
  if (PROVENANCE.has(name) && !hasRole(call, ...PROVENANCE_CHANGERS)) return 'none'
  return least([byWriters, guardedBy ? 'some' : 'all'])
}

function reachOfWho(call: Call, who: Who): Reach {
  if (call.actor === null) return 'none'
  if (who === 'anyone') return 'all'
  if (who === 'self' || typeof who === 'object') return 'some'
  return hasRole(call, who) ? 'all' : 'none'
}

function covers(grant: Grant, name: string): boolean {
  return !isLimited(grant) || grant.fields.includes(name)
}

function most(reaches: readonly Reach[]): Reach {
  return reaches.includes('all') ? 'all' : reaches.includes('some') ? 'some' : 'none'
}

function least(reaches: readonly Reach[]): Reach {
  return reaches.includes('none') ? 'none' : reaches.includes('some') ? 'some' : 'all'
}

/** Finds the records of rows and of their references, with a constant number of queries per chunk of rows. */
import type { Scope } from '../../access/sight/scope.js'
import type { Call } from '../../core/call.js'
import { chunksOf } from '../../core/chunks.js'
import { exactKey, folded } from '../../core/text/identity.js'
import type { Operations } from '../../operations/contract.js'
import type { RecordType } from '../../schema/catalog.js'
import { inFormat } from '../../schema/kinds/values/formats.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Queries } from '../../storage/records/query.js'
import type { Reference } from '../columns/cells.js'
import type { Identity } from '../columns/match-columns.js'

/**
 * Maximum number of values per query, because databases limit it. Only cells with hundreds of references need a second query.
 */
const MAX_VALUES = 5000

/** Ids by the token of an identity (`tokenOf`) or the key of a reference (`keyOf`); `AMBIGUOUS` for names of several records. */
export type FoundIds = ReadonlyMap<string, number>

/** Returns a text that two identities of one record share. */
export function tokenOf(identity: Identity): string | null {
  switch (identity.by) {
    case 'id':
      return `id ${identity.id}`
    case 'source':
      return sourceToken(identity.source, identity.sourceID)
    case 'key':
      return keyToken(identity.value)
    case 'nothing':
      return null
  }
}

export function sourceToken(source: string, sourceID: string): string {
  return `source ${exactKey([source, sourceID])}`
}

export function keyToken(value: string): string {
  return `key ${folded(value)}`
}

export function keyOf({ type, accountId, value }: Reference): string {
  return `${type} ${accountId ?? ''}\n${folded(value)}`
}

/** Dependencies of looking up records. */
export interface LookupDeps {
  readonly operations: Pick<Operations, 'findIds'>
  readonly scope: Pick<Scope, 'seesAll'>
  readonly queries: Pick<Queries, 'cells'>
}

/**
 * Finds the ids of the records of the call's account for the identities, disabled records included. Records that the importing
 * person does not see are not found: their rows are treated like rows with unknown ids.
 *
 * @param key the field of identities by key
 */
export async function findRecords(
  deps: LookupDeps,
  call: Call,
  type: RecordType,
  key: string | null,
  identities: readonly Identity[],
): Promise<FoundIds> {
  const found = await findStored(deps.queries, call, type, key, identities)
  if (found.size === 0 || (await deps.scope.seesAll(call, type))) return found
  const ids = distinct([...found.values()].map(String))
  const seen = new Set((await deps.operations.findIds(call, type.name, 'id', ids)).values())
  return new Map([...found].filter(([, id]) => seen.has(id)))
}

async function findStored(
  queries: LookupDeps['queries'],
  call: Call,
  type: RecordType,
  key: string | null,
  identities: readonly Identity[],
): Promise<FoundIds> {
  const found = new Map<string, number>()
  const ids = distinct(identities.flatMap((i) => (i.by === 'id' && /^\d{1,15}$/.test(i.id) ? [Number(i.id)] : [])))
  const pairs = identities.flatMap((i) => (i.by === 'source' ? [i] : []))
  const keys = distinct(
    identities.flatMap((i) => (i.by === 'key' ? [inFormat(type.fields.get(key ?? '')?.format, i.value)] : [])),
  )
  const inAccount: Criterion = { path: ['account'], op: 'in', values: [call.account.id] }
  const read = (fields: readonly string[], ...tests: readonly Criterion[]) => {
    const slots = ['id', ...fields].map((name) => [name])
    return queries.cells(call, { type, where: { all: [inAccount, ...tests] } }, slots)
  }

  if (ids.length > 0) {
    for (const [id] of await read([], { path: ['id'], op: 'in', values: ids })) found.set(`id ${Number(id)}`, Number(id))
    // 007 is 7.
    for (const i of identities) {
      const id = i.by === 'id' ? found.get(`id ${Number(i.id)}`) : undefined
      if (i.by === 'id' && id !== undefined) found.set(`id ${i.id}`, id)
    }
  }
  if (pairs.length > 0) {
    const tests = [
      among('source', distinct(pairs.map(({ source }) => source)), 'exact'),
      among('sourceID', distinct(pairs.map(({ sourceID }) => sourceID)), 'exact'),
    ]
    for (const [id, source, sourceID] of await read(['source', 'sourceID'], ...tests))
      found.set(sourceToken(String(source), String(sourceID)), Number(id))
  }
  if (key && keys.length > 0) {
    for (const [id, value] of await read([key], among(key, keys, 'ignoreCase'))) found.set(keyToken(String(value)), Number(id))
  }
  return found
}

/** The field has one of the texts. */
function among(field: string, values: readonly string[], text: 'exact' | 'ignoreCase'): Criterion {
  return { path: [field], op: 'in', values, text }
}

/** The key of a sub-record that a cell names, by the record that it belongs to. */
export function keyOfPart({ type, value }: Reference, ownerId: number): string {
  return `part ${type} ${ownerId}\n${folded(value)}`
}

/** Stands for the record that a field of a stored one refers to, among what was found. */
export function ownerKey(field: string, id: number): string {
  return `${field} of ${id}`
}

/** Finds the ids of references, with one query per record type and account, two for types whose records have two names. */
export async function findReferences(
  operations: LookupDeps['operations'],
  call: Call,
  references: readonly Reference[],
): Promise<FoundIds> {
  const found = await findByField(operations, call, references)
  const others = references.flatMap((reference) => {
    const { otherwise } = reference
    return otherwise === undefined || found.has(keyOf(reference)) ? [] : [{ ...reference, field: otherwise }]
  })
  return others.length > 0 ? new Map([...found, ...(await findByField(operations, call, others))]) : found
}

async function findByField(
  operations: LookupDeps['operations'],
  call: Call,
  references: readonly Reference[],
): Promise<FoundIds> {
  const groups = new Map<string, { first: Reference; values: Map<string, Reference> }>()
  for (const reference of references) {
    // These need the record that they belong to.
    if (reference.within !== undefined) continue
    // No record has an id that is not a number.
    if (reference.field === 'id' && !/^\d{1,15}$/.test(reference.value)) continue
    const name = `${reference.type} ${reference.accountId ?? ''}`
    const group = groups.get(name) ?? { first: reference, values: new Map<string, Reference>() }
    group.values.set(folded(reference.value), reference)
    groups.set(name, group)
  }
  const found = new Map<string, number>()
  for (const { first, values } of groups.values()) {
    const texts = [...values.values()].map((reference) => reference.value)
    for (const some of chunksOf(texts, MAX_VALUES)) {
      const ids = await operations.findIds(call, first.type, first.field, some, first.accountId ?? undefined)
      for (const [text, id] of ids) {
        const reference = values.get(text)
        if (reference) found.set(keyOf(reference), id)
      }
    }
  }
  return found
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

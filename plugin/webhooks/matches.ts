/**
 * Decides which messages a webhook wants: its events, its filter, and the person whose own changes it leaves out (ADR 64). The relay
 * asks in its transaction, for all webhooks of a batch.
 *
 * A filter is decided on the message, as far as that has the value: status, team and member. Other values are those of the record in
 * that transaction, moments after the event. `changed` is decided on the audit line of the save. What cannot be decided any more, because
 * the record is gone, holds: a receiver that mirrors records must get their removal.
 */
import type { Knex } from 'knex'
import { administratorsMayRead } from '../access/sight/decide.js'
import type { Call } from '../core/call.js'
import { chunksOf, MAX_LISTED } from '../core/chunks.js'
import { BadRequest } from '../core/errors.js'
import type { Log } from '../core/log.js'
import type { Catalog, RecordType } from '../schema/catalog.js'
import { readTerms, type Term } from '../schema/derive/filter-text.js'
import { jsonInColumn } from '../schema/kinds/values/json-values.js'
import { AUDIT_LINE } from '../schema/language/built-in-types.js'
import type { Criterion, Scalar } from '../schema/language/conditions.js'
import type { Json } from '../schema/language/field.js'
import type { Storage } from '../storage/database/connections.js'
import { transactionOf } from '../storage/database/transaction.js'
import type { Message } from '../storage/queues/messages.js'
import type { Queries } from '../storage/records/query.js'
import { type Test, type Tested, testRecords } from '../storage/records/test-records.js'
import { type Subscription, subscribedNames, subscribes } from './subscribes.js'

/** The facts of a webhook that decide. */
export interface Asking extends Subscription {
  readonly disabled: boolean
  readonly filter: string | null
  readonly exceptPersonId: number | null
}

/** A message that a webhook may want. */
export interface Question {
  readonly asking: Asking
  readonly message: AskedMessage
}
type AskedMessage = Pick<Message, 'event' | 'recordType' | 'recordId' | 'personId' | 'auditLineId' | 'snapshot'>

/** Wanted, or the reason why not: the term that did not hold, and the value that it met. */
export type Decision =
  | { readonly wanted: true }
  | { readonly wanted: false; readonly because: Because; readonly term: string; readonly met: Json }
export type Because = 'disabled' | 'event' | 'own_change' | 'filter'

/** Dependencies of the decisions. */
export interface MatchDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly queries: Queries
  readonly log: Log
}

/**
 * Decides about each question, in order. One statement for each distinct filter and record type, and one for all audit lines; none
 * without filters.
 */
export type Match = (db: Knex, questions: readonly Question[]) => Promise<readonly Decision[]>

/** What a term has met, and if it held. */
type Held = { readonly holds: boolean; readonly met: Json }
type Inside = Pick<Call, 'transaction'>

const WANTED: Decision = { wanted: true }
const HOLDS: Held = { holds: true, met: null }

/** Creates the function. */
export function createMatch(deps: MatchDeps): Match {
  const { catalog, log, queries, storage } = deps

  return async (db, questions) => {
    const decisions = questions.map(decideAtOnce)
    const open = questions.filter(({ asking }, index) => decisions[index] === null && asking.filter !== null)
    const inside = { transaction: transactionOf(storage, db) }
    const groups = groupsOf(open)
    for (const group of groups) group.terms = termsOf(group)
    const changed = groups.flatMap(({ messages, terms }) => (terms.some((term) => 'changed' in term) ? messages : []))
    const lines = await changesOf(inside, changed)
    const filtered = new Map<string, Map<AskedMessage, Decision>>()
    for (const group of groups) filtered.set(group.key, await decideGroup(inside, group, lines))
    return questions.map(
      (question, index) => decisions[index] ?? filtered.get(keyOf(question))?.get(question.message) ?? WANTED,
    )
  }

  /** The terms of a filter; none if it cannot be read any more, because a host has changed the type since. */
  function termsOf({ filter, recordType }: Group): readonly Term[] {
    const type = catalog.types.get(recordType)
    try {
      return type ? readTerms(type, filter, administratorsMayRead) : []
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error
      log.warn(
        { err: error, filter, type: recordType },
        'The filter of a webhook does not fit the record type: it has no effect',
      )
      return []
    }
  }

  async function decideGroup(inside: Inside, { messages, recordType, terms }: Group, lines: Lines) {
    const type = catalog.types.get(recordType)
    const decided = new Map<AskedMessage, Decision>()
    if (!type) return decided
    const tests = terms.flatMap((term): Test[] =>
      'criterion' in term && keptValue(type, term.criterion) === null
        ? [{ criterion: term.criterion, path: pathOf(term.criterion) }]
        : [],
    )
    const ids = messages.map(({ recordId }) => recordId)
    const results = tests.length > 0 ? await testRecords(deps, inside, type, ids, tests) : new Map<number, readonly Tested[]>()
    for (const message of messages) {
      const tested = new Map(tests.map(({ criterion }, index) => [criterion, results.get(message.recordId)?.[index]]))
      const failed = terms
        .map((term) => [term, heldBy(type, term, message, tested, lines)] as const)
        .find(([, { holds }]) => !holds)
      decided.set(message, failed ? { wanted: false, because: 'filter', term: failed[0].text, met: failed[1].met } : WANTED)
    }
    return decided
  }

  /** The names that the saves of messages have changed, by audit line. */
  async function changesOf(inside: Inside, messages: readonly AskedMessage[]): Promise<Lines> {
    const type = catalog.types.get(AUDIT_LINE)
    const ids = [...new Set(messages.flatMap(({ auditLineId }) => auditLineId ?? []))]
    const found = new Map<number, readonly string[]>()
    if (!type) return found
    for (const values of chunksOf(ids, MAX_LISTED)) {
      const where: Criterion = { path: ['id'], op: 'in', values }
      for (const [id, cell] of await queries.cells(inside, { type, where }, [['id'], ['changes']]))
        found.set(Number(id), Object.keys(jsonInColumn(cell) ?? {}))
    }
    return found
  }
}

/** Changed names by audit line. */
type Lines = ReadonlyMap<number, readonly string[]>

/** Messages about one record type that the same filter is asked about. */
interface Group {
  readonly key: string
  readonly filter: string
  readonly recordType: string
  readonly messages: AskedMessage[]
  terms: readonly Term[]
}

function groupsOf(questions: readonly Question[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const question of questions) {
    const { asking, message } = question
    const key = keyOf(question)
    const group = groups.get(key) ?? {
      key,
      filter: asking.filter ?? '',
      recordType: message.recordType,
      messages: [],
      terms: [],
    }
    group.messages.push(message)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function keyOf({ asking, message }: Question): string {
  return `${message.recordType} ${asking.filter}`
}

/** What needs no statement; null if the filter decides. */
function decideAtOnce({ asking, message }: Question): Decision | null {
  const refused = (because: Because, term: string, met: Json): Decision => ({ wanted: false, because, term, met })
  if (asking.disabled) return refused('disabled', 'disabled', true)
  const names = subscribedNames(asking)
  if (!subscribes(names, message.event)) return refused('event', names.join(','), message.event)
  const { exceptPersonId } = asking
  if (exceptPersonId !== null && message.personId === exceptPersonId)
    return refused('own_change', `except_person_id=${exceptPersonId}`, exceptPersonId)
  return asking.filter === null ? WANTED : null
}

function heldBy(
  type: RecordType,
  term: Term,
  message: AskedMessage,
  tested: ReadonlyMap<Criterion, Tested | undefined>,
  lines: Lines,
): Held {
  if ('changed' in term) {
    const changed = lines.get(message.auditLineId ?? 0) ?? []
    return { holds: term.changed.some((name) => changed.includes(name)), met: changed }
  }
  const kept = keptValue(type, term.criterion)
  if (kept !== null) {
    const met = message.snapshot[kept.name] ?? null
    return { holds: kept.values.includes(met) === kept.isIn, met }
  }
  const result = tested.get(term.criterion)
  return result ? { holds: result.meets, met: result.value } : HOLDS
}

/** Values that messages have, by the column that they were taken from. */
const KEPT = ['status', 'team_id', 'member_id'] as const

/** The test of a value that messages have; null for other criteria. */
function keptValue(type: RecordType, criterion: Criterion) {
  if (!('path' in criterion) || criterion.path.length !== 1) return null
  const { op, path, values } = criterion
  const field = type.fields.get(path[0] ?? '')
  const name = KEPT.find((column) => column === field?.column)
  if (name === undefined || (op !== 'in' && op !== 'not in')) return null
  return { name, values: values as readonly Scalar[], isIn: op === 'in' }
}

/** The path to the value that a criterion of a filter is about; a range has two criteria about the same one. */
function pathOf(criterion: Criterion): readonly string[] {
  if ('path' in criterion) return criterion.path
  const [first] = 'all' in criterion ? criterion.all : []
  return first ? pathOf(first) : ['id']
}

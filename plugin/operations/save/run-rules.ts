/** Runs the rules of a record type, and the host's hooks between them, over a batch. */
import { type Call, type CausingRecord, ruleCall } from '../../core/call.js'
import { HookFailed, ItsmError } from '../../core/errors.js'
import { suggestion } from '../../core/nearest.js'
import { shown } from '../../core/shown.js'
import type { RecordType } from '../../schema/compile/compile.js'
import type { Behavior, FillContext, OtherRecords, RuleContext } from '../../schema/define-rule.js'
import { EXTRA_COLUMNS } from '../../storage/statement.js'
import { causingRecord, onlyCause } from '../work/causes.js'
import { collectMails, type MailsToQueue } from './collect-mails.js'
import { type Counts, createCounts } from './counts.js'
import { type Draft, differs, refuse } from './draft.js'
import { makeDue } from './make-due.js'
import { type Running, startRunning } from './running.js'
import { noteMoves } from './status-moves.js'
import type { Work } from './work.js'

/** Phases of rules; each `…All` function runs in the phase of the function for one record. */
export type Phase = 'fill' | 'check' | 'fillWithId' | 'written' | 'remove' | 'removeAll' | 'removed'

/** Function of a rule in a phase, with the widest context: only `written` and `removed` work on other records. */
type One = (context: RuleContext & OtherRecords) => void | Promise<void>
type All = (contexts: readonly RuleContext[], others: OtherRecords) => void | Promise<void>

/**
 * Runs one phase of all rules over a batch, in the order of the definition; each rule is done with all records before the next
 * one begins. Refusals become violations of the drafts.
 */
export async function runRules(phase: Phase, work: Work, drafts: readonly Draft[]): Promise<void> {
  const rules = work.type.rules.filter(({ behavior }) => functionsOf(behavior, phase).some(Boolean))
  if (rules.length === 0 || drafts.length === 0) return
  const running = startRunning(work, phase)
  const counts = createCounts(work.deps, work.call)
  const mails = collectMails(work.deps, work.call)
  const current: Current = { rule: '', causedBy: null }
  const others = othersOf(work, counts, mails, running, current)
  const worksOnOthers = phase === 'written' || phase === 'removed'
  const contexts = drafts.map((draft) => contextOf(work, running, draft, phase))
  try {
    for (const { behavior, name } of rules) {
      const [one, all] = functionsOf(behavior, phase)
      current.rule = name
      current.causedBy = onlyCause(
        work.type.name,
        drafts.map(({ next }) => next),
      )
      if (all) await all(contexts, others)
      // Work on other records must see the results of the previous record.
      if (one && worksOnOthers) {
        for (const context of contexts) {
          current.causedBy = causingRecord(work.type.name, context.next)
          await one({ ...context, ...others })
        }
      }
      if (one && !worksOnOthers) await together(contexts, (context) => one(context as Parameters<One>[0]))
      await running.settled()
      noteMoves(work, drafts, `rule ${name} of ${work.type.name}`)
      const failure = running.turns.failure()
      // A rule that catches a refusal may replace the message; rows that were written until then must still be undone.
      if (failure && drafts.every(({ violations }) => violations.length === 0)) throw failure.error
    }
    if (FILLING.includes(phase)) mustSetColumns(work.type, drafts, phase)
    await counts.store()
    await mails.store()
  } finally {
    await running.end()
  }
}

/**
 * Runs the host's hooks for each record of a batch, one record after the other: hooks need not support concurrent runs.
 *
 * @throws HookFailed if a hook throws anything but an error of the plugin
 */
export async function runHooks(work: Work, drafts: readonly Draft[]): Promise<void> {
  const hooks = work.deps.before.get(`${work.type.name}.save`) ?? []
  if (hooks.length === 0) return
  const running = startRunning(work, 'before')
  try {
    for (const draft of drafts) {
      const context = contextOf(work, running, draft, 'fill') as FillContext
      for (const hook of hooks) {
        await hook(context)
        await running.settled()
      }
    }
    noteMoves(work, drafts, 'hook')
    mustSetColumns(work.type, drafts, 'before')
  } catch (error) {
    if (error instanceof ItsmError) throw error
    throw new HookFailed(`before hook of ${work.type.name}.save`, error)
  } finally {
    await running.end()
  }
}

function functionsOf(behavior: Behavior, phase: Phase): readonly [one: One | undefined, all: All | undefined] {
  const all = phase === 'remove' || phase === 'removeAll' || phase === 'removed' ? undefined : behavior[`${phase}All`]
  return [behavior[phase] as One | undefined, all as All | undefined]
}

/** Waits for all, even if one fails: no work may continue after the transaction has ended. */
async function together<T>(all: readonly T[], run: (one: T) => void | Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(all.map(async (one) => run(one)))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** Phases in which rules set values; in all others the row is frozen. */
const FILLING: readonly Phase[] = ['fill', 'fillWithId']

/** Columns that are set besides those of fields. */
const OWN_COLUMNS = new Set(['id', ...Object.keys(EXTRA_COLUMNS)])

/** @throws TypeError for what rules or hooks have set and no column holds: it would be lost without a word */
function mustSetColumns({ columns, fields, name }: RecordType, drafts: readonly Draft[], phase: string): void {
  for (const { next } of drafts) {
    for (const column in next) {
      if (columns.has(column) || OWN_COLUMNS.has(column)) continue
      const meant = fields.get(column)?.column
      const hint = meant ? `; its column is '${meant}'` : suggestion(column, columns.keys())
      throw new TypeError(`A function of ${name} sets '${column}' in '${phase}', which is no stored column${hint}`)
    }
  }
}

function contextOf({ call, deps, type }: Work, { asks, mustRun }: Running, draft: Draft, phase: Phase): RuleContext {
  const next = FILLING.includes(phase) ? draft.next : Object.freeze({ ...draft.next })
  return {
    call,
    type: type.name,
    before: draft.before,
    next,
    given: draft.input.links.size > 0 ? new Set([...draft.input.given, ...draft.input.links.keys()]) : draft.input.given,
    input: (field) => draft.input.unstored.get(field) ?? null,
    changed: (column) => differs(draft.before?.[column], next[column]),
    fieldOf(name) {
      const field = type.fields.get(name)
      return { column: field?.column ?? name, record: field?.record ?? '', enumeration: field?.enumeration ?? '' }
    },
    load: asks.load,
    find: asks.find,
    findBy: asks.findBy,
    valuesOf: asks.valuesOf,
    isReferred: asks.isReferred,
    calendarOf: asks.calendarOf,
    async linked(typeName, id, linkName, otherId) {
      // Links in the input of the record itself are written after the rules have run.
      const isOwn = typeName === type.name && (id ?? null) === (next['id'] ?? null)
      const given = isOwn ? draft.input.links.get(linkName) : undefined
      return given ? given.includes(Number(otherId)) : asks.linked(typeName, id, linkName, otherId)
    },
    linkedIds: asks.linkedIds,
    async hasRole(personId, role) {
      return personId ? (await asks.rolesOf(Number(personId), String(next['account_id']))).has(role) : false
    },
    mayReach: deps.mayReach,
    sentence: (code, params) => deps.words.sentence(call.account.locale, code, '', params),
    fail(field, code, params) {
      mustRun()
      // Otherwise the mistake would appear only in the response, without its cause.
      const wrong = [field, code].filter((given: unknown) => typeof given !== 'string' || given === '')
      if (wrong.length > 0)
        throw new TypeError(`fail: must have the name of a field and a code or a message, not ${shown(wrong[0])}`)
      refuse(draft, field, code, params)
    },
  }
}

/** The rule that is running, and the record for which it does, if it is one. */
interface Current {
  rule: string
  causedBy: CausingRecord | null
}

function othersOf(
  work: Work,
  counts: Counts,
  mails: MailsToQueue,
  { mustRun, turns }: Running,
  current: Current,
): OtherRecords {
  const { call, others, type } = work
  const take = <T>(work: (asRule: Call) => Promise<T>): Promise<T> => {
    // The call of the rule that asks, even if its turn comes later.
    const asRule = ruleCall(call, type.name, current.rule, current.causedBy)
    return turns.take(() => work(asRule))
  }
  const saveAll: OtherRecords['saveAll'] = async (typeName, items) =>
    items.length === 0 ? [] : take((asRule) => others.saveAll(asRule, typeName, items))
  const removeEach: OtherRecords['removeEach'] = async (typeName, ids) => {
    const items = ids.map((id) => ({ id }))
    if (items.length > 0) await take((asRule) => others.removeEach(asRule, typeName, items))
  }
  return {
    saveAll,
    async save(typeName, id, body, owner) {
      const [row] = await saveAll(typeName, [{ id, body, ...(owner && { owner }) }])
      if (!row) throw new Error(`A rule of ${type.name} has saved nothing`)
      return row
    },
    attempt: (typeName, item) => take((asRule) => others.attempt(asRule, typeName, item)),
    removeEach,
    remove: (typeName, id) => removeEach(typeName, [id]),
    addTo(typeName, id, field, step) {
      mustRun()
      if (id) counts.add(typeName, Number(id), field, step)
    },
    makeDue: (typeName, field, condition) => turns.take(() => makeDue(work, typeName, field, condition)),
    mail(person, name, params) {
      mustRun()
      if (person) mails.add(Number(person), name, params)
    },
  }
}

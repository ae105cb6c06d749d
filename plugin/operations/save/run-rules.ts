/** Runs the rules of a record type, and the host's hooks between them, over a batch. */
import { HookFailed, ItsmError } from '../../core/errors.js'
import { shown } from '../../core/text/shown.js'
import type {
  Behavior,
  DraftRow,
  FillContext,
  OtherRecords,
  Phase,
  Row,
  RuleContext,
} from '../../schema/language/define-rule.js'
import { isOutage } from '../../storage/database/faults.js'
import { causingRecord, onlyCause } from '../work/causes.js'
import type { Draft } from '../work/draft.js'
import { OtherRefused, toldToCaller } from '../work/other-refused.js'
import { isSame, withCopies } from '../work/own-objects.js'
import type { Work } from '../work/pipeline.js'
import { noteMoves } from '../work/status-moves.js'
import { EndlessWork } from '../work/unit.js'
import type { SettleDeps } from '../work/work-deps.js'
import { collectEvents } from './collect-events.js'
import { collectMails } from './collect-mails.js'
import { createCounts } from './counts.js'
import { keepHistory } from './history.js'
import { type Current, otherRecords } from './other-records.js'
import { contextOf } from './rule-contexts.js'
import { startRunning } from './running.js'
import type { HookDeps, RuleDeps } from './save-deps.js'

/** Function of a rule in a phase, with the widest context: only `written` and `removed` work on other records. */
type One = (context: RuleContext & OtherRecords) => void | Promise<void>
type All = (contexts: readonly RuleContext[], others: OtherRecords) => void | Promise<void>

/**
 * Runs one phase of all rules over a batch, in the order of the definition; each rule is done with all records before the next
 * one begins. Refusals become violations of the drafts.
 *
 * @param done is called after each rule
 * @throws HookFailed if a rule throws anything but an error of the plugin or the database
 */
export async function runRules(
  phase: Phase,
  work: Work<RuleDeps>,
  drafts: readonly Draft[],
  done?: (rule: string) => void,
): Promise<void> {
  const leavesOut = work.call.isHistory === true && AFTER_WRITE.includes(phase)
  const runs = ({ begins }: Behavior) => !(leavesOut && begins)
  const rules = (work.type.rulesIn.get(phase) ?? []).filter(({ behavior }) => runs(behavior))
  if (rules.length === 0 || drafts.length === 0) return
  const running = startRunning(work, phase, () => {
    // Each rule of the phase has the same contexts: which one goes on is not known.
    return `rule ${rules.map(({ name }) => name).join(' or ')} of ${work.type.name}`
  })
  const current: Current = { rule: '', causedBy: null, saved: phase === 'written' ? drafts.map(({ next }) => next) : [] }
  const counts = createCounts(work.deps, work.call, current)
  const mails = collectMails(work.deps, work.call)
  const events = collectEvents(work, drafts, current)
  const others = otherRecords(work, { counts, events, mails }, running, current)
  const worksOnOthers = phase === 'written' || phase === 'removed'
  const fills = FILLING.includes(phase)
  const contexts = drafts.map((draft) => contextOf(work, running, draft, fills))
  const ofSaves = contexts.filter((_, index) => !drafts[index]?.item.restored)
  // What rules on other records return is mostly the record that they saved.
  const mustOnlyAct = (result: unknown) => worksOnOthers || mustReturnNothing(result, phase)
  try {
    for (const { behavior, name } of rules) {
      const [one, all] = functionsOf(behavior, phase)
      // An earlier state stands as it is, and what followed from it with an audit line is put back by itself.
      const those = behavior.alsoOnUndo ? contexts : ofSaves
      if (those.length === 0) continue
      current.rule = name
      current.causedBy = onlyCause(
        work.type.name,
        drafts.map(({ next }) => next),
      )
      if (all) mustOnlyAct(await all(those, others))
      // Work on other records must see the results of the previous record.
      if (one && worksOnOthers) {
        for (const context of those) {
          current.causedBy = causingRecord(work.type.name, context.next)
          // Not a copy: that would make `db` for each record.
          const result = one(Object.assign(context, others))
          if (result !== undefined) await result
        }
      }
      if (one && !worksOnOthers) {
        const waiting = together(those, (context) => one(context as Parameters<One>[0]), mustOnlyAct)
        if (waiting) await waiting
      }
      if (!running.isSettled()) await running.settled()
      for (const { next } of drafts) if (fills) mustBeOpen(next)
      // Later, the values of hooks stand.
      if (phase === 'fill') keepHistory(work, drafts)
      noteMoves(work, drafts, `rule ${name} of ${work.type.name}`)
      done?.(name)
      const failure = running.turns.failure()
      // A rule that catches a refusal may replace the message; rows that were written until then must still be undone.
      if (failure && drafts.every(({ violations }) => violations.length === 0)) throw failure.error
    }
    await counts.store()
    await events.store()
    await mails.store()
  } catch (error) {
    throw failureOf(work, current.rule, error)
  } finally {
    await running.end()
  }
}

/** An error of a rule, with the name of the rule. Errors of the plugin and of the database keep their meaning. */
function failureOf(work: Work<Pick<SettleDeps, 'log' | 'words'>>, rule: string, error: unknown): unknown {
  if (error instanceof OtherRefused) return toldToCaller(work.deps, work.call, `rule ${rule} of ${work.type.name}`, error)
  if (isOwn(error) || isOutage(error) || work.call.signal?.aborted) return error
  return new HookFailed(`rule ${rule} of ${work.type.name}`, error, 'The')
}

/** True for errors that say by themselves what they are about. */
function isOwn(error: unknown): boolean {
  return error instanceof ItsmError || error instanceof HookFailed || error instanceof EndlessWork
}

/** Finds the hook that has set a column of a draft: its place in errors; null if no hook has. */
export type HookOf = (draft: Draft, column: string) => string | null

/**
 * Runs the host's hooks for each record of a batch, one record after the other: hooks need not support concurrent runs.
 *
 * @param step what the hooks come before; only those of a save set values
 * @throws HookFailed if a hook throws anything but an error of the plugin, or returns a value
 */
export async function runHooks(
  work: Work<HookDeps>,
  drafts: readonly Draft[],
  step: 'save' | 'remove' = 'save',
): Promise<HookOf> {
  const name = `${work.type.name}.${step}`
  const fills = step === 'save'
  const hooks = work.deps.before.get(name) ?? []
  /** The rows before each hook. */
  const rows = new Map<Draft, Row[]>()
  if (hooks.length === 0) return () => null
  const placeOf = (index: number) => `before hook${hooks.length > 1 ? ` ${index + 1} of ${hooks.length}` : ''} of ${name}`
  const running = startRunning(work, 'before', () => `a before hook of ${name}`)
  let at = 0
  try {
    for (const draft of drafts) {
      if (draft.item.restored) continue
      const context = contextOf(work, running, draft, fills) as FillContext
      const seen: Row[] = []
      rows.set(draft, seen)
      for (const [index, hook] of hooks.entries()) {
        at = index
        seen.push(withCopies(work.type, draft.next))
        mustReturnNothing(await hook(context), fills ? 'fill' : 'remove')
        await running.settled()
        if (fills) mustBeOpen(draft.next)
      }
    }
    if (fills) noteMoves(work, drafts, 'hook')
  } catch (error) {
    if (error instanceof ItsmError) throw error
    throw new HookFailed(placeOf(at), error)
  } finally {
    await running.end()
  }
  return (draft, column) => {
    const last = draft.next[column]
    const index = (rows.get(draft) ?? []).findLastIndex((row) => !isSame(row[column], last))
    return index < 0 ? null : placeOf(index)
  }
}

/** @throws TypeError for a frozen row: what is set in it later would fail, in functions that have done nothing wrong */
function mustBeOpen(next: DraftRow): void {
  if (!Object.isExtensible(next))
    throw new TypeError("it has frozen 'next', in which others set columns; freeze a copy instead")
}

/** @throws TypeError for a function that returns what it should set or refuse: it would be lost without a word */
function mustReturnNothing(result: unknown, phase: Phase): void {
  if (result === undefined) return
  const instead = FILLING.includes(phase) ? "set columns of 'next' instead" : "refuse with 'fail' instead"
  throw new TypeError(`it must return nothing, not ${shown(result)}; ${instead}`)
}

function functionsOf(behavior: Behavior, phase: Phase): readonly [one: One | undefined, all: All | undefined] {
  const all = phase === 'remove' || phase === 'removeAll' || phase === 'removed' ? undefined : behavior[`${phase}All`]
  return [behavior[phase] as One | undefined, all as All | undefined]
}

/**
 * Runs the function for all contexts, and waits for all, even if one fails: no work may continue after the transaction has ended.
 * Most rules wait for nothing: then there is no promise at all.
 *
 * @param check looks at what the function has returned
 * @returns null if there is nothing to wait for
 * @throws the first failure, in the order of the records
 */
function together(
  contexts: readonly RuleContext[],
  run: (context: RuleContext) => unknown,
  check: (result: unknown) => unknown,
): Promise<void> | null {
  const pending: Promise<unknown>[] = []
  for (const context of contexts) {
    try {
      const result = run(context)
      if (result !== undefined) pending.push(Promise.resolve(result).then(check))
    } catch (error) {
      pending.push(Promise.reject(error))
    }
  }
  return pending.length === 0 ? null : allDone(pending)
}

async function allDone(pending: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(pending)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** Phases in which rules set values; in all others the row is frozen. */
const FILLING: readonly Phase[] = ['fill', 'fillWithId']
/** Phases after the row was written. */
const AFTER_WRITE: readonly Phase[] = ['fillWithId', 'written']

/**
 * Checks what rules, settlings and hooks have set in the rows of a batch, once the last of them has run and only where a value
 * has changed. A mistake there is never the fault of the caller: it is an error that names who has set what.
 */
import { HookFailed } from '../../core/errors.js'
import { shown } from '../../core/text/shown.js'
import type { RecordType } from '../../schema/catalog.js'
import type { StoredColumn } from '../../schema/derive/stored-values.js'
import type { Row } from '../../schema/language/define-rule.js'
import { type Draft, isSound } from '../work/draft.js'
import { textOf } from '../work/mistakes.js'
import { copyOf, isSame } from '../work/own-objects.js'
import type { Work } from '../work/pipeline.js'
import { fillSettled } from '../work/settle.js'
import type { ValueDeps } from '../work/work-deps.js'
import { applyDefaults } from './prepare-drafts.js'
import { columnHint, OWN_COLUMNS } from './rule-names.js'
import { type HookOf, runRules } from './run-rules.js'
import type { RuleDeps } from './save-deps.js'
import { concealUnreachable, NO_RECORD } from './unreachable.js'

/** A column with a value that it cannot have. */
interface Mistake {
  readonly column: string
  readonly text: string
}

/**
 * Checks what was set before the write.
 *
 * @param hookOf finds the hook that has set a value
 * @throws HookFailed for the first mistake
 */
export async function checkFilled(work: Work<RuleDeps>, drafts: readonly Draft[], hookOf: HookOf): Promise<void> {
  const columns = work.deps.storedColumnsOf(work.type)
  for (const draft of drafts) {
    // Nothing was set in it.
    if (draft.item.restored) continue
    const mistake = mistakeIn(work, columns, draft, draft.before)
    if (!mistake) continue
    const place = hookOf(draft, mistake.column)
    if (place !== null) throw new HookFailed(place, new TypeError(mistake.text))
    throw new HookFailed(await setterOf(work, drafts, draft, mistake.column), new TypeError(mistake.text), 'The')
  }
}

/** Checks what was set after the write. @throws HookFailed for the first mistake */
export function checkFilledWithId(work: Work<ValueDeps>, drafts: readonly Draft[]): void {
  const columns = work.deps.storedColumnsOf(work.type)
  for (const draft of drafts) {
    const mistake = mistakeIn(work, columns, draft, draft.written)
    if (!mistake) continue
    const rules = work.type.rules.filter(({ behavior }) => behavior.fillWithId ?? behavior.fillWithIdAll)
    const place = `rule ${rules.map(({ name }) => name).join(' or ')} of ${work.type.name}`
    throw new HookFailed(place, new TypeError(mistake.text), 'The')
  }
}

/** @param base the row before the functions ran; null if it had only defaults and the values of the body */
function mistakeIn(
  { call, deps, type }: Work<ValueDeps>,
  columns: readonly StoredColumn[],
  draft: Draft,
  base: Row | null,
): Mistake | null {
  const { before, input, next } = draft
  for (const stored of columns) {
    const { column, field } = stored
    const value: unknown = next[column]
    if (isSame(value, base ? base[column] : (field.default ?? null))) continue
    if (value !== undefined && isSame(value, input.values[column])) continue
    // The time of the call stands in several columns of every new record.
    if (value === call.now && column.endsWith('_at')) continue
    if (value === null) {
      // As for callers: a field with a default cannot be empty.
      if (field.default !== undefined) next[column] = field.default
      continue
    }
    // A rule has copied a reference of the body that is reported itself.
    if (value === NO_RECORD && draft.conceals && field.kind === 'ref') continue
    const fault = stored.faultIn(value)
    if (fault && isSound(draft)) return { column, text: textOf(deps.words, type, column, value, fault) }
    // What follows from a refused value of the body is not stored, and must not reach a statement either.
    if (fault) next[column] = before?.[column] ?? null
  }
  return hasOtherNames(columns, draft) ? mistakeInNames(type, draft) : null
}

/** True if the row has other columns than those of the type, or a place of its own: a count, because nearly every row is right. */
function hasOtherNames(columns: readonly StoredColumn[], draft: Draft): boolean {
  let known = columns.length
  for (const column of OWN_COLUMNS) {
    if (!(column in draft.next)) continue
    known += 1
    if (isMoved(draft, column)) return true
  }
  return Object.keys(draft.next).length !== known
}

/** True if a column that only the save itself sets has another value. */
function isMoved({ before, next, place, written }: Draft, column: string): boolean {
  const given = column === 'id' ? (written ?? before)?.['id'] : place[column]
  return (next[column] ?? null) !== (given ?? null)
}

/** A column that would be lost without a word, or that would move the record to another place. */
function mistakeInNames(type: RecordType, draft: Draft): Mistake | null {
  const { columns, name } = type
  const { next } = draft
  for (const column in next) {
    if (columns.has(column) && column !== 'id') continue
    if (!OWN_COLUMNS.has(column)) {
      return { column, text: `it sets '${column}', which is no stored column of ${name}${columnHint(type, column)}` }
    }
    if (isMoved(draft, column))
      return { column, text: `it sets '${column}' of ${name} to ${shown(next[column])}: the save sets it by itself` }
  }
  return null
}

/**
 * The rule or the settling that has set a value, by running them once more on copies, one after the other. Only a mistake costs
 * this; nothing is noted while all is right.
 */
async function setterOf(work: Work<RuleDeps>, drafts: readonly Draft[], draft: Draft, column: string): Promise<string> {
  const copies = drafts.map((one): Draft => ({ ...one, next: {}, violations: [], moves: [] }))
  const copy = copies[drafts.indexOf(draft)]
  let setter = `rules of ${work.type.name}`
  let value: unknown
  const look = (name: string) => {
    if (isSame(value, copy?.next[column])) return
    value = copyOf(copy?.next[column])
    setter = `${name} of ${work.type.name}`
  }
  applyDefaults(work, copies)
  await concealUnreachable(work, copies)
  value = copyOf(copy?.next[column])
  try {
    await runRules('fill', work, copies, (name) => look(`rule ${name}`))
    fillSettled(work, copies)
    look(`settling ${work.type.settle.map(({ settle }) => settle).join(' or ')}`)
  } catch {
    // A function that fails the second time has told its name already, if it has set the value.
  }
  return setter
}

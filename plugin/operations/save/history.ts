/** Records that an import brings with their past (behaviour: History): the values of the file stand, whatever rules do. */

import { kindOf } from '../../schema/kinds/kinds.js'
import type { Row } from '../../schema/language/define-rule.js'
import { type Draft, refuse } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'
import { NO_RECORD } from './unreachable.js'

const CREATED = 'created_at'

/**
 * Sets the fields of history again: in new records to the values of the body, in stored ones to the stored values. Rules after it
 * read them.
 */
export function keepHistory({ call, type }: Work, drafts: readonly Draft[]): void {
  if (!call.isHistory) return
  for (const [column, { default: otherwise = null, history }] of type.columns) {
    if (!history) continue
    for (const { before, input, next } of drafts) {
      const isGiven = column in input.values
      // A reference that the caller cannot make stays one to no record.
      if (isGiven && next[column] !== NO_RECORD) next[column] = input.values[column] ?? otherwise
      else if (!isGiven && before) next[column] = before[column] ?? null
    }
  }
}

/** Refuses times of new records that lie in the future, or before the record was created. */
export function checkHistory({ call, type }: Work, drafts: readonly Draft[]): void {
  if (!call.isHistory) return
  const columns = [...type.columns].filter(
    ([, field]) => field.history && kindOf(field).column?.form(field).method === 'datetime',
  )
  for (const draft of drafts.filter(({ before }) => before === null)) {
    const timeIn = (row: Row, column: string) => (typeof row[column] === 'string' ? row[column] : null)
    const times = columns.flatMap(([column, { name }]) => {
      const at = timeIn(draft.input.values, column)
      return at === null ? [] : [{ at, name }]
    })
    for (const { at, name } of times) if (at > call.now) refuse(draft, name, 'in_future')
    // What is wrong with the creation need not be told for each of the other times.
    if (draft.violations.some(([name]) => name === CREATED)) continue
    const created = timeIn(draft.next, CREATED)
    for (const { at, name } of times) if (created !== null && at < created) refuse(draft, name, 'before_creation')
  }
}

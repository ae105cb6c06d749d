/**
 * What rules pass to the functions that work on other records. A value that no record can have is a mistake of the rule, which would
 * look like a record that is gone, or reach a statement.
 */
import { isBlank } from '../../core/text/blank.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { RecordField, RecordType } from '../../schema/catalog.js'
import { columnOf, kindOf } from '../../schema/kinds/kinds.js'
import type { Row, RuleItem } from '../../schema/language/define-rule.js'
import { isObject } from '../../schema/language/shapes.js'
import type { SaveItem } from '../contract.js'

/** Maximum step of a counter: more than any column of whole numbers holds. */
const MAX_STEP = 2 ** 31 - 1

/** The records to save, so that names in their bodies which the type does not have are refused. @throws TypeError for what is none */
export function itemsOf(type: string, items: readonly RuleItem[]): readonly SaveItem[] {
  if (!Array.isArray(items)) throw new TypeError(`saveAll of ${type}: must have a list of records, not ${shown(items)}`)
  const made = items.map((item: RuleItem) => itemOf(type, item))
  for (const [index, item] of made.entries()) {
    const { linkedWith } = items[index] ?? {}
    // In place: other items of the list mean this object.
    if (linkedWith !== undefined) Object.assign(item, { linkedWith: linkedItems(type, linkedWith, made) })
  }
  return made
}

/** The records at the places, by link. @throws TypeError for what is no place of a new one: others may be saved later */
function linkedItems(type: string, linkedWith: unknown, made: readonly SaveItem[]): SaveItem['linkedWith'] {
  const lists = isObject(linkedWith) ? Object.entries(linkedWith) : [['', null] as const]
  return new Map(
    lists.map(([name, places]) => {
      const items: readonly (SaveItem | undefined)[] = Array.isArray(places) ? places.map((place) => made[place]) : [undefined]
      if (!items.every((item) => item?.id === null))
        throw new TypeError(`saveAll of ${type}: linkedWith must have lists of places of new records, by link`)
      return [name, items as readonly SaveItem[]]
    }),
  )
}

/** The record to save, as in `itemsOf`. @throws TypeError for what is none */
export function itemOf(type: string, item: RuleItem): SaveItem {
  if (!isObject(item) || !isObject(item.body))
    throw new TypeError(`a ${type} to save must have a body that is an object, not ${shown(isObject(item) ? item.body : item)}`)
  if (item.id !== null) mustBeId(type, item.id)
  const { linkedWith: _, ...own } = item
  return { ...own, onlyKnown: true }
}

/** @throws TypeError for what is no list of ids */
export function mustBeIds(type: string, ids: readonly number[]): void {
  if (!Array.isArray(ids)) throw new TypeError(`removeEach of ${type}: must have a list of ids, not ${shown(ids)}`)
  for (const id of ids) mustBeId(type, id)
}

/** @throws TypeError for a record that is being saved: its caller would get what no longer exists. Flags may be set. */
export function mustStay(type: RecordType, saved: readonly Row[], typeName: string, ids: readonly number[]): void {
  if (typeName !== type.name || type.softDeleteField !== null) return
  const own = saved.find((row) => ids.includes(Number(row['id'])))
  if (own) throw new TypeError(`it removes the ${typeName} that is being saved, ${own['id']}: refuse it with 'fail' instead`)
}

/** The id as a number; null if there is none. @throws TypeError for what is no id */
export function idOrNone(type: string, id: unknown): number | null {
  if (isBlank(id as never) || id === 0) return null
  mustBeId(type, Number(id), id)
  return Number(id)
}

/** @throws TypeError for what is no condition */
export function mustBeCondition(asked: string, type: string, condition: unknown): void {
  if (!isObject(condition))
    throw new TypeError(`${asked} of ${type}: must have a condition, { field: value }, not ${shown(condition)}`)
}

/** The id that a rule looks for; null for none, and for what a caller sent in its place. @throws TypeError for an object */
export function idIn(type: string, id: unknown): number | null {
  if (typeof id === 'object' && id !== null) throw new TypeError(`the id of a ${type} must be a number, not ${shown(id)}`)
  return Number(id) > 0 ? Number(id) : null
}

/** The column that a rule counts in. @throws TypeError for a field that cannot count, and for a step that it cannot hold */
export function counterOf(type: RecordType, name: string, step: number): string {
  const field = type.fields.get(name)
  if (!field?.column || !isCounter(field)) {
    const numbers = [...type.fields.values()].filter(isCounter).map((one) => one.name)
    throw new TypeError(`addTo: ${type.name} has no number ${shown(name)}${suggestion(String(name), numbers)}`)
  }
  if (!Number.isFinite(step) || Math.abs(step) > MAX_STEP)
    throw new TypeError(`addTo: the step must be a number, not ${shown(step)}`)
  // Numbers that a column can hold are those that may be added to it.
  const refusal = columnOf(field).refuse(step, field)
  if (refusal) throw new TypeError(`addTo: the step of ${type.name}.${name} is ${refusal.refused}: ${shown(step)}`)
  return field.column
}

function isCounter(field: RecordField): boolean {
  return kindOf(field).defaults === 'number' && field.column !== null
}

function mustBeId(type: string, id: unknown, given: unknown = id): void {
  if (!Number.isSafeInteger(id) || Number(id) <= 0)
    throw new TypeError(`the id of a ${type} must be a number, not ${shown(given)}`)
}

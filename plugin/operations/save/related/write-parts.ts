/** Writes single sub-records that come with their owner (behaviour: Writing). */
import { singlePartCall } from '../../../core/call.js'
import { Invalid, type Violation } from '../../../core/errors.js'
import type { RecordField, RecordType } from '../../../schema/catalog.js'
import type { PartChange } from '../../../schema/derive/part-changes.js'
import type { Json } from '../../../schema/kinds/fields.js'
import type { Row } from '../../../schema/language/define-rule.js'
import type { Owner, SaveItem, Submitted } from '../../contract.js'
import type { ReadDeps } from '../../read/read-deps.js'
import { partsOfOwner } from '../../read/visible.js'
import type { Draft } from '../../work/draft.js'
import type { SaveWork } from '../../work/pipeline.js'
import { ignore, isIgnoredCode, refusedName } from './ignored.js'

/** Values of the sub-records before and after, for the audit line; null if nothing changed. */
export type PartsChanged = readonly [before: Json, after: Json] | null

/**
 * Adds, changes and removes sub-records of a record with the caller's permissions for each.
 *
 * @param draft the owner on its way through the pipeline: records the ignored names of sub-records
 * @throws Invalid, Forbidden
 */
export async function changeParts(
  { deps, call, type, others, pipeline }: SaveWork<ReadDeps>,
  draft: Draft,
  field: RecordField,
  changes: readonly PartChange[],
): Promise<PartsChanged> {
  const asCaller = singlePartCall(call)
  const owner: Owner = { type: type.name, id: Number(draft.next['id']) }
  const part = deps.catalog.type(field.record ?? '')
  const stored = () => deps.queries.rows(call, { type: part, where: partsOfOwner(owner) })
  /** A strict save is strict with sub-records as well. */
  const handling = {
    ...(draft.item.handling === 'strict' ? ({ handling: 'strict' } as const) : {}),
    ...(draft.item.onlyKnown ? ({ onlyKnown: true } as const) : {}),
  }
  const store = async (item: SaveItem): Promise<Submitted> => {
    const [outcome] = await pipeline(asCaller, part, [item])
    if (outcome?.outcome === 'refused') throw new Invalid(blamedOn(field, outcome.violations))
    if (outcome?.outcome === 'denied') throw outcome.error
    if (!outcome) throw new Error(`A part of ${type.name} was not saved`)
    return outcome
  }
  const removeOne = async (id: number) => {
    try {
      await others.remove(asCaller, part.name, id, owner)
    } catch (error) {
      throw error instanceof Invalid ? new Invalid(blamedOn(field, error.violations)) : error
    }
  }

  const shown = shownIn(field, part)
  const before = await stored()
  const known = new Set(before.map((row) => row['id']))
  if (changes.some(({ id }) => id !== null && !known.has(id))) throw new Invalid([[field.name, 'cannot_be_found']])
  for (const { id, remove, body } of changes) {
    if (remove) await removeOne(Number(id))
    else ignore(draft, part, (await store({ id, body, owner, ...handling })).ignored, `${field.name}_attributes`)
  }
  const [was, is] = [before.map(shown), (await stored()).map(shown)]
  return JSON.stringify(was) === JSON.stringify(is) ? null : [was, is]
}

/** Reports violations of a sub-record as a whole under the field of its owner. */
export function blamedOn(field: RecordField, violations: readonly Violation[]): readonly Violation[] {
  return violations.map(([name, code, params]) => {
    if (isIgnoredCode(code)) {
      const inside = refusedName(name, `${field.name}_attributes`)
      return params ? [inside, code, params] : [inside, code]
    }
    return [name === 'base' ? field.name : name, code, params ?? {}]
  })
}

/** The values of a sub-record that its owner shows, without its id: the form of audit lines. */
export function shownIn(field: RecordField, part: RecordType): (row: Row) => Json {
  const names = (field.shows ?? part.collection.below.fields).filter((name) => name !== 'id')
  return (row) => Object.fromEntries(names.map((name) => [name, row[part.fields.get(name)?.column ?? name] ?? null]))
}

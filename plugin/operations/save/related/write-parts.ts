/** Writes the sub-records that come with their owner: the only one of its type, or single ones (behaviour: Writing). */
import { type Call, partsCall, singlePartCall } from '../../../core/call.js'
import { Invalid, type Violation } from '../../../core/errors.js'
import type { RecordField, RecordType } from '../../../schema/catalog.js'
import type { PartChange } from '../../../schema/derive/part-changes.js'
import type { Json } from '../../../schema/kinds/fields.js'
import type { Row } from '../../../schema/language/define-rule.js'
import type { Owner, SaveItem, Submitted } from '../../contract.js'
import type { ReadDeps } from '../../read/read-deps.js'
import { partsOfOwner } from '../../read/visible.js'
import { changedColumns, type Draft } from '../../work/draft.js'
import type { SaveWork } from '../../work/pipeline.js'
import { ignore, isIgnoredCode, refusedName } from './ignored.js'

/** Values of the sub-records before and after, for the audit line; null if nothing changed. */
export type PartsChanged = readonly [before: Json, after: Json] | null

export interface PartWriting {
  /** Merges the input into the only sub-record, or creates it; null removes it. @throws Invalid */
  merge(field: RecordField, owner: Owner, given: object | null): Promise<PartsChanged>
  /** Adds, changes and removes sub-records with the caller's permissions for each. @throws Invalid, Forbidden */
  change(field: RecordField, owner: Owner, changes: readonly PartChange[]): Promise<PartsChanged>
}

/** @param draft the owner on its way through the pipeline: records the ignored names of sub-records */
export function createPartWriting(work: SaveWork<ReadDeps>, draft: Draft): PartWriting {
  const { deps, call, type, others, pipeline } = work
  const [asOwner, asCaller] = [partsCall(call, type.name), singlePartCall(call)]
  const typeOf = (field: RecordField) => deps.catalog.type(field.record ?? '')
  const rowsOf = (field: RecordField, owner: Owner) =>
    deps.queries.rows(call, { type: typeOf(field), where: partsOfOwner(owner) })

  const store = async (by: Call, field: RecordField, item: SaveItem): Promise<Submitted> => {
    const [outcome] = await pipeline(by, typeOf(field), [item])
    if (outcome?.outcome === 'refused') throw new Invalid(blamedOn(field, outcome.violations))
    if (outcome?.outcome === 'denied') throw outcome.error
    if (!outcome) throw new Error(`A part of ${type.name} was not saved`)
    return outcome
  }

  /** Single sub-records are saved with the client's permissions, so a strict save is strict with them as well. */
  const handling = {
    ...(draft.item.handling === 'strict' ? ({ handling: 'strict' } as const) : {}),
    ...(draft.item.onlyKnown ? ({ onlyKnown: true } as const) : {}),
  }

  const removeOne = async (field: RecordField, id: number, owner: Owner) => {
    try {
      await others.remove(asCaller, typeOf(field).name, id, owner)
    } catch (error) {
      throw error instanceof Invalid ? new Invalid(blamedOn(field, error.violations)) : error
    }
  }

  return {
    async merge(field, owner, given) {
      const part = typeOf(field)
      const [before = null] = await rowsOf(field, owner)
      if (given === null) {
        if (before) await others.remove(asOwner, part.name, Number(before['id']), owner)
        return before && [valuesIn(before, changedColumns(part, null, before)), null]
      }
      const id = before && Number(before['id'])
      const { row: after } = await store(asOwner, field, { id, body: given, owner })
      const changed = changedColumns(part, before, after)
      return changed.length > 0 || !before ? [before && valuesIn(before, changed), valuesIn(after, changed)] : null
    },

    async change(field, owner, changes) {
      const part = typeOf(field)
      const shown = shownIn(field, part)
      const before = await rowsOf(field, owner)
      const known = new Set(before.map((row) => row['id']))
      if (changes.some(({ id }) => id !== null && !known.has(id))) throw new Invalid([[field.name, 'cannot_be_found']])
      for (const { id, remove, body } of changes) {
        if (remove) await removeOne(field, Number(id), owner)
        else
          ignore(
            draft,
            part,
            (await store(asCaller, field, { id, body, owner, ...handling })).ignored,
            `${field.name}_attributes`,
          )
      }
      const [was, is] = [before.map(shown), (await rowsOf(field, owner)).map(shown)]
      return JSON.stringify(was) === JSON.stringify(is) ? null : [was, is]
    },
  }
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

function valuesIn(row: Row, columns: readonly string[]): Json {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}

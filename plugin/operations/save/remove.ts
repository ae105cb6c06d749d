/** Removes records, permanently or by a flag; only types whose definition allows it. */
import { type Call, removalCall } from '../../core/call.js'
import { chunksOf } from '../../core/chunks.js'
import { Forbidden, Invalid, NotFound } from '../../core/errors.js'
import { removalEvents } from '../../events/detect.js'
import type { RecordType } from '../../schema/catalog.js'
import { AUDIT_LINE } from '../../schema/language/built-in-types.js'
import type { Row } from '../../schema/language/define-rule.js'
import { dbOf, inTransaction } from '../../storage/database/transaction.js'
import type { Operations, Precondition } from '../contract.js'
import { partsOfOwner, partsOfOwners, visibleRow, visibleRows } from '../read/visible.js'
import { type Draft, inFieldOrder, startDraft } from '../work/draft.js'
import { markLinked, markOwners } from '../work/marks.js'
import { lockOwnersOf, lockOwnersOfItems } from '../work/owners.js'
import type { Others, Work } from '../work/pipeline.js'
import type { RunWork } from '../work/run-work.js'
import { unitOf } from '../work/unit.js'
import type { LockDeps } from '../work/work-deps.js'
import { accessRowsOf } from './access-rows.js'
import { addLinesOf } from './audit.js'
import { guardOf } from './guards.js'
import { isPassedOn, noteRemoved } from './in-transaction.js'
import { addEvents } from './related/add-events.js'
import { noteUnaudited, type WrittenRow } from './related/unaudited.js'
import type { WriteDeps } from './related/write-deps.js'
import { runHooks, runRules } from './run-rules.js'
import type { RemoveDeps, RuleDeps } from './save-deps.js'
import { watchedRemoval } from './watch-saves.js'

/** @param others saves and removes other records for rules, in the same transaction */
export function createRemoving(
  deps: RemoveDeps,
  others: Others,
  run: RunWork,
): Pick<Operations, 'remove' | 'removeAll' | 'removeEach' | 'retractEach'> {
  const workOn = (call: Call, type: RecordType): Work<RemoveDeps> => {
    return { deps, call, type, unit: unitOf(deps, call), others }
  }

  const inWork = (call: Call, type: RecordType, work: (inside: Call) => Promise<void>) =>
    inTransaction(deps.storage, call, (inside) => run(inside, type.name, () => work(inside)))

  const askRules = async (phase: 'remove' | 'removeAll' | 'removed', work: Work<RuleDeps>, drafts: readonly Draft[]) => {
    await runRules(phase, work, drafts)
    const refused = drafts.find(({ violations }) => violations.length > 0)
    if (refused) throw new Invalid(inFieldOrder(work.type, refused.violations))
  }

  /**
   * Deletes the sub-records of records, and theirs: attachments of a note are deleted with it. Runs their rules and settlings.
   */
  const removeParts = async (call: Call, type: RecordType, ownerIds: readonly number[]): Promise<void> => {
    for (const name of type.parts.values()) {
      // Keep audit lines: they show who removed the record.
      if (name === AUDIT_LINE) continue
      const part = deps.catalog.type(name)
      const isFollowed =
        call.importId !== undefined ||
        deps.catalog.settling.records.has(name) ||
        isPassedOn(deps.inTransaction, part) ||
        part.rules.some(({ behavior }) => behavior.removed)
      for (const some of chunksOf(ownerIds)) {
        const selection = { type: part, where: partsOfOwners(type.name, some) }
        const rows = isFollowed ? await deps.queries.rows(call, selection) : []
        const ids = isFollowed
          ? rows.map(idOf)
          : (await deps.queries.cells(call, selection, [['id']])).map(([id]) => Number(id))
        if (ids.length > 0) await removeFor(call, part, ids, rows)
      }
    }
  }

  /** Deletes records with everything that belongs to them. @param rows those that rules, settlings and hooks follow */
  const removeFor = async (call: Call, type: RecordType, ids: readonly number[], rows: readonly Row[]) => {
    await removeParts(call, type, ids)
    await markLinkedTo(deps, call, type, ids)
    await unlink(deps, call, type, ids)
    await deps.writer.remove(dbOf(deps.storage, call), type, ids)
    noteRemoved(workOn(call, type), rows)
    await askRules('removed', workOn(call, type), rows.map(draftOf))
    await noteUnaudited(deps, call, type, () => rows.map(removedRow))
    await markOwners(unitOf(deps, call), deps.catalog, type.name, rows)
  }

  /** @param how `precondition` of the removal of one row; `isUndone`: rules are not asked */
  const removeRows = async (
    call: Call,
    type: RecordType,
    rows: readonly Row[],
    { isUndone = false, precondition }: { readonly isUndone?: boolean; readonly precondition?: Precondition | undefined } = {},
  ) => {
    for (const row of await accessRowsOf(deps, call, type, rows)) await deps.decisions.decide(call, 'remove', type, row)
    const flag = type.softDeleteField
    const ids = rows.map((row) => Number(row['id']))
    const guarded = await guardOf(deps.storage, call, type, ids)
    if (ids.some((id) => [...type.fields.values()].some((field) => guarded(field, id)))) throw new Forbidden()
    await precondition?.(call, rows[0] ?? null)
    const drafts = rows.filter((row) => flag === null || row[flag] !== true).map(draftOf)
    const work = workOn(call, type)
    if (!isUndone) {
      await runHooks(work, drafts, 'remove')
      await askRules('remove', work, drafts)
    }
    if (flag !== null) {
      const asType = removalCall(call, type.name)
      const items = drafts.map(({ next }) => ({ id: Number(next['id']), body: { [flag]: true } }))
      await others.saveAll(asType, type.name, items)
      return
    }
    await removeFor(call, type, ids, rows)
    for (const row of rows) await deps.afterWrite.get(type.name)?.(dbOf(deps.storage, call), row, null)
    await addLinesOf(deps, call, type, rows, 'destroy')
    await addEvents(deps, call, removalEvents(call, type, rows, deps.clock.now()))
  }

  const removeWatched: typeof removeRows = (call, type, rows, how) =>
    watchedRemoval(deps.observer.save, call, type.name, rows.length, () => removeRows(call, type, rows, how))

  const removeSome = async (
    call: Call,
    typeName: string,
    items: Parameters<Operations['removeEach']>[2],
    isUndone: boolean,
  ): Promise<void> => {
    const type = deps.catalog.type(typeName)
    await inWork(call, type, async (inside) => {
      const owners = items.flatMap(({ owner }) => owner ?? [])
      for (const name of new Set(owners.map((owner) => owner.type))) {
        const ids = new Set(owners.flatMap((owner) => (owner.type === name ? [owner.id] : [])))
        const found = await visibleRows(deps, inside, deps.catalog.type(name), [...ids])
        if (found.size < ids.size) throw new NotFound()
      }
      const ids = items.map(({ id }) => id)
      await lockOwnersOf(deps, inside, unitOf(deps, inside), type, ids)
      const rows = await visibleRows(deps, inside, type, ids, { lock: true })
      const isThere = ({ id, owner }: (typeof items)[number]) => {
        const row = rows.get(id)
        return row && (!owner || (row['owner_type'] === owner.type && Number(row['owner_id']) === owner.id))
      }
      if (!items.every(isThere)) throw new NotFound()
      await removeWatched(inside, type, [...rows.values()], { isUndone })
    })
  }

  return {
    async remove(call, typeName, id, owner, precondition) {
      const type = deps.catalog.type(typeName)
      await inWork(call, type, async (inside) => {
        if (owner) await visibleRow(deps, inside, deps.catalog.type(owner.type), owner.id)
        await lockOwnersOf(deps, inside, unitOf(deps, inside), type, [id])
        await removeWatched(inside, type, [await visibleRow(deps, inside, type, id, { owner, lock: true })], { precondition })
      })
    },
    removeEach: (call, typeName, items) => removeSome(call, typeName, items, false),
    retractEach: (call, typeName, items) => removeSome(call, typeName, items, true),
    async removeAll(call, typeName, owner, precondition) {
      const type = deps.catalog.type(typeName)
      await inWork(call, type, async (inside) => {
        await visibleRow(deps, inside, deps.catalog.type(owner.type), owner.id)
        await lockOwnersOfItems(deps, inside, unitOf(deps, inside), type, [{ id: null, body: {}, owner }])
        const ownership = { owner_type: owner.type, owner_id: owner.id }
        await deps.decisions.decide(inside, 'remove', type, ownership)
        const locked = () => deps.queries.rows(inside, { type, where: partsOfOwner(owner) }, { lock: true })
        if (precondition) {
          // The owner, too: others may be adding sub-records on the same precondition.
          await visibleRow(deps, inside, deps.catalog.type(owner.type), owner.id, { lock: true })
          await locked()
          await precondition(inside, null)
        }
        await askRules('removeAll', workOn(inside, type), [{ ...startDraft({ id: null, body: {} }), next: ownership }])
        await removeWatched(inside, type, await locked())
      })
    },
  }
}

/** A removed row, as its undo needs it. */
function removedRow(row: Row): WrittenRow {
  return { before: row, after: null }
}

function idOf(row: Row): number {
  return Number(row['id'])
}

function draftOf(row: Row): Draft {
  return { ...startDraft({ id: Number(row['id']), body: {} }), before: { ...row }, next: { ...row } }
}

/** Marks owners that follow links to records which are about to be removed. */
async function markLinkedTo(deps: LockDeps, call: Call, type: RecordType, ids: readonly number[]): Promise<void> {
  for (const { link } of deps.catalog.settling.links) {
    if (link.record !== type.name) continue
    for (const some of chunksOf(ids)) {
      const pairs: Record<string, unknown>[] = await dbOf(
        deps.storage,
        call,
      )(deps.storage.table(link.table))
        .whereIn(link.to, [...some])
        .select(link.from)
      const from = pairs.map((pair) => Number(pair[link.from]))
      const by = some.length === 1 ? { type: type.name, id: Number(some[0]) } : null
      await markLinked(unitOf(deps, call), deps.catalog, link, { from, to: some }, by)
    }
  }
}

/** Deletes the links of records, and the links to them. */
async function unlink({ catalog, storage }: WriteDeps, call: Call, type: RecordType, ids: readonly number[]) {
  const own = [...type.links.values()].map(({ table, from }) => [table, from] as const)
  const others = [...catalog.types.values()].flatMap((other) => [...other.links.values()])
  const leading = others.filter(({ record }) => record === type.name).map(({ table, to }) => [table, to] as const)
  const places = new Map([...own, ...leading].map((place) => [place.join(), place]))
  for (const [table, column] of places.values()) {
    for (const some of chunksOf(ids)) {
      await dbOf(
        storage,
        call,
      )(storage.table(table))
        .whereIn(column, [...some])
        .delete()
    }
  }
}

/** The first steps of the pipeline: load the records, check permissions, and read the body. */
import type { Call } from '../../core/call.js'
import { Forbidden, NotFound, PreconditionFailed } from '../../core/errors.js'
import { callForPart, callForRecord } from '../../core/passed-calls.js'
import { cut } from '../../core/text/cut.js'
import type { RecordType } from '../../schema/catalog.js'
import { NO_INPUT } from '../../schema/derive/input-builder.js'
import { withPairs } from '../../schema/kinds/values/pair-list.js'
import { NOTE } from '../../schema/language/built-in-types.js'
import type { DraftRow, Row } from '../../schema/language/define-rule.js'
import type { ReadDeps } from '../read/read-deps.js'
import { visibleRows } from '../read/visible.js'
import { type Draft, differs, refuse } from '../work/draft.js'
import { frozenRow } from '../work/own-objects.js'
import { existsAlways, lockOwnersOfItems, lockUnowned } from '../work/owners.js'
import type { Work } from '../work/pipeline.js'
import { ownership } from './access-rows.js'
import { type Guard, guardOf, OPEN } from './guards.js'
import { maySet, maySetLink } from './may-set.js'
import { ignore, ignoreInParts, refusedName } from './related/ignored.js'
import type { ValidateDeps } from './related/write-deps.js'

/** Reads and locks the records to change; records that the caller does not see are reported as not found. */
export async function loadForUpdate(work: Work<ReadDeps>, drafts: readonly Draft[]) {
  const { deps, call, type, unit } = work
  const items = drafts.map(({ item }) => item)
  const unowned = await lockUnowned(deps, call, unit, type, items)
  if (unowned === null) await lockOwnersOfItems(deps, call, unit, type, items)
  const owners = new Map<string, Set<number>>()
  for (const { owner } of drafts) if (owner) owners.set(owner.type, (owners.get(owner.type) ?? new Set()).add(owner.id))
  for (const [name, ids] of owners) {
    // Locked: rules read the other sub-records, and the owner must not be removed by then.
    const rows = await lockedOwners(work, name, [...ids])
    for (const draft of drafts) {
      if (draft.owner?.type === name) draft.ownerRow = rows.get(draft.owner.id) ?? null
    }
  }
  for (const draft of drafts) {
    const { item, owner, ownerRow } = draft
    const needsOwner = owner !== null || (type.partOf.length > 0 && item.id === null)
    const hasOwner = owner !== null && ownerRow !== null && type.partOf.includes(owner.type)
    if (needsOwner && !hasOwner) draft.denied = new NotFound()
  }
  const ids = items.flatMap(({ id }) => id ?? [])
  const rows = unowned ?? (await visibleRows(deps, call, type, ids, { lock: true }))
  for (const draft of drafts) {
    if (draft.item.id === null) continue
    const row = rows.get(draft.item.id)
    const misplaced = draft.owner && (row?.['owner_type'] !== draft.owner.type || row?.['owner_id'] !== draft.owner.id)
    if (!row || misplaced) draft.denied = new NotFound()
    else {
      unit.remember(type.name, row)
      draft.before = frozenRow(type, row)
    }
  }
}

/**
 * The owners that the caller sees, locked. Those that the transaction has locked or written need no statement, unless they may count
 * as removed.
 */
async function lockedOwners({ deps, call, unit }: Work<ReadDeps>, name: string, ids: readonly number[]) {
  const locked = new Map<number, Row>()
  const isAlways = existsAlways(deps.catalog, deps.catalog.type(name))
  for (const id of ids) {
    const row = call.bypassesPermissions && isAlways && unit.isOurs(name, id) ? unit.known(name, id) : undefined
    if (row && row['account_id'] === call.account.id) locked.set(id, row)
  }
  const others = await visibleRows(
    deps,
    call,
    deps.catalog.type(name),
    ids.filter((id) => !locked.has(id)),
    { lock: true },
  )
  for (const [id, row] of others) {
    unit.remember(name, row)
    locked.set(id, row)
  }
  return locked
}

/** Refuses drafts that the caller has no permission for. */
export async function decide({ deps, call, type }: Work<ReadDeps>, drafts: readonly Draft[]) {
  for (const draft of drafts) {
    try {
      await deps.decisions.decide(callFor(call, type, draft), draft.before ? 'update' : 'create', type, draft.accessRow)
    } catch (error) {
      if (!(error instanceof Forbidden)) throw error
      draft.denied = error
    }
  }
}

/** Asks the preconditions: after the permissions, so that they reveal nothing, and on locked rows, so that nothing changes. */
export async function askPreconditions({ call }: Work, drafts: readonly Draft[]) {
  for (const draft of drafts) {
    try {
      await draft.item.precondition?.(call, draft.before)
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error
      draft.denied = error
    }
  }
}

/** Checks types, lengths and enumerations, only of the fields that the caller may set. All violations at once. */
export async function validate({ deps, call, type }: Work<ValidateDeps>, drafts: readonly Draft[]) {
  const validator = deps.validators.get(type.name)
  if (!validator) throw new Error(`Missing validator of '${type.name}'`)
  const teams = await deps.decisions.teams(call, type)
  const guarded = await guardOf(
    deps.storage,
    call,
    type,
    drafts.flatMap(({ before }) => (before ? [Number(before['id'])] : [])),
  )
  const isImported = call.origin === 'import'
  for (const draft of drafts) {
    if (draft.item.restored) {
      const { links, values } = draft.item.restored
      draft.input = { ...NO_INPUT, values: { ...values }, links }
      continue
    }
    const row = draft.accessRow
    const asked = callFor(call, type, draft)
    const allowed = await deps.decisions.fields(asked, draft.before ? 'update' : 'create', type, row)
    const setting = { call, asked, allowed, row, before: draft.before, teams, guarded: isImported ? OPEN : guarded }
    const setsHistory = call.isHistory === true && draft.before === null
    draft.input = validator(draft.item.body, {
      zone: call.zone,
      creating: draft.before === null,
      setsReadOnly: call.setsReadOnly,
      setsHistory,
      may: (field) => (setsHistory && field.history === true) || maySet(setting, field),
      mayLink: (link) => maySetLink(allowed, type, link),
    })
    ignore(draft, type, draft.input.ignored.concat(draft.item.ignored ?? []))
    ignoreInParts(deps, type, draft)
    for (const [field, code, params] of draft.input.violations) refuse(draft, field, code, params)
    for (const name of draft.item.notFound ?? []) refuse(draft, name, 'cannot_be_found')
    if (isImported) refuseGuarded(type, draft, guarded)
    if (changesNothing(call, draft)) draft.denied = new Forbidden(`None of these fields can be set: ${namesIn(draft)}`)
  }
}

/** The call with the roles that count for this record, which differ for passed ones (behaviour: Passed records). */
function callFor(call: Call, type: RecordType, { before, item, owner }: Draft): Call {
  if (!call.passed) return call
  return type.name === NOTE && before === null
    ? callForPart(call, owner)
    : callForRecord(call, { type: type.name, id: item.id }, before)
}

/** Refuses a row of a file if a single save would ignore the field: among many rows an ignored field would go unnoticed. */
function refuseGuarded(type: RecordType, draft: Draft, guarded: Guard): void {
  for (const [column, value] of Object.entries(draft.input.values)) {
    const field = type.columns.get(column)
    const changes = field && draft.before && differs(draft.before[column], value)
    if (changes && guarded(field, draft.before?.['id'])) refuse(draft, field.name, 'guarded', { role: field.guardedBy ?? '' })
  }
}

/** True for an update that only has fields that the client cannot set (behaviour: Ignored fields). */
function changesNothing(call: Call, { before, input, item, violations }: Draft): boolean {
  if (before === null || item.handling !== 'lenient' || call.bypassesPermissions) return false
  // Report misspelled names first.
  if (item.onlyKnown && violations.length > 0) return false
  return (
    input.ignored.length > 0 && input.ignored.length === Object.values(item.body).filter((value) => value !== undefined).length
  )
}

/** Maximum number of names in the message. */
const MAX_NAMES = 20

function namesIn({ input: { ignored } }: Draft): string {
  const names = ignored.slice(0, MAX_NAMES).map((name) => refusedName(name))
  return [...names, ...(ignored.length > MAX_NAMES ? ['…'] : [])].join(', ')
}

/** The row as it will be, before the rules run. */
export function applyDefaults({ call, type }: Work, drafts: readonly Draft[]) {
  for (const draft of drafts) {
    if (draft.before) {
      draft.next = { ...draft.before, ...draft.input.values }
    } else {
      draft.next = { ...type.newRow, account_id: call.account.id, ...ownership(draft) }
      if (type.columns.has('created_at')) draft.next['created_at'] = call.now
      if (type.columns.has('updated_at')) draft.next['updated_at'] = call.now
      // What an undo puts back has its id already.
      for (const [column, value] of Object.entries(draft.input.values))
        if (column !== 'id' || draft.item.restored) draft.next[column] = value
      if (call.passed && !draft.item.isOfRecord && namesAccount(type, draft.next))
        draft.next['account_id'] = call.passed.accountId
      if (type.columns.has('source')) draft.next['source'] ??= cut(call.source, 30) || null
    }
    const { account_id = null, owner_id = null, owner_type = null } = draft.next
    draft.place = { account_id, owner_id, owner_type }
    setPairs(type, draft)
    // A field with a default cannot be empty (behaviour: Import files): clearing it sets the default.
    for (const [column, field] of type.columns) {
      if (field.default !== undefined) draft.next[column] ??= field.default
    }
  }
}

/** True for internal notes: the account that may see them is that of the author, unless a rule makes them for the record. */
function namesAccount(type: RecordType, next: DraftRow): boolean {
  return [...type.columns].some(([column, field]) => field.namesAccount && next[column] === true)
}

/**
 * Merges a list of ids and values into the object that it represents. Null clears the object, unless the input has that too.
 */
function setPairs(type: RecordType, draft: Draft): void {
  const { given, unstored, values } = draft.input
  for (const { name, pairsOf } of type.fields.values()) {
    const pairs = unstored.get(name)
    if (pairsOf === undefined || pairs === undefined) continue
    const hasHash = given.has(pairsOf) && values[pairsOf] !== null
    if (pairs === null) {
      if (!hasHash) draft.next[pairsOf] = null
      continue
    }
    const merged = withPairs(draft.next[pairsOf] ?? null, pairs, hasHash)
    if ('refused' in merged) refuse(draft, name, merged.refused, merged.params)
    else draft.next[pairsOf] = merged.value
  }
}

/** Makes responses of rows: values from other tables are fetched for the whole page, one query per type. */
import { applies } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import { referenceShape, type Shape } from '../../schema/derive/shape.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { WriteContext } from '../../schema/kinds/writers.js'
import type { Row } from '../../schema/language/define-rule.js'
import { fieldNaming, type Who } from '../../schema/language/who.js'
import type { Output } from '../contract.js'
import type { AnswerDeps, ReadDeps } from './read-deps.js'
import { readRelated } from './read-related.js'
import { shownPicture } from './shown-picture.js'
import { createSight, type Sight } from './sight.js'

/** Makes responses of rows; sub-records, owners, account names and the visibility of references take one query per type. */
export async function writeAnswers(
  deps: AnswerDeps,
  call: Call,
  shape: Shape,
  rows: readonly (readonly unknown[])[],
  sight: Sight = createSight(deps, call),
): Promise<readonly Output[]> {
  const home = call.actor?.accountId ?? call.account.id
  const shown = await readRelated(deps, call, shape, rows, (inner, cells) => writeAnswers(deps, call, inner, cells, sight))
  const mentioned = await mentionedBy(deps, call, shape, rows, sight)
  await sight.look(shape, rows)
  const accounts = await foreignAccounts(deps, call, shape, rows, home)
  const partial = await partialParts(deps, call, shape, rows)
  const teams = shape.asksForTeams ? await deps.decisions.teams(call, shape.type) : new Set<number>()
  const context: WriteContext = {
    homeAccountId: home,
    accountName: (id) => accounts.get(id) ?? (id === call.account.id ? call.account.name : id),
    formatInstant: (moment) => deps.formatInstant(moment, call.zone),
    downloadAddress: (key) => deps.files.addresses.download(key, deps.clock.now()),
    pictureAddress: (value) => shownPicture(deps, value),
    mayRead: (who, column) => applies(call, who, rowFor(who, column), teams),
    related: (field, ownerId) => shown.get(field)?.get(ownerId) ?? [],
    sees: sight.sees,
    seesParts: (type) => !partial.has(type),
    reference: (type, id) => mentioned.get(`${type} ${id}`) ?? { id },
  }
  return rows.map((cells) => shape.write(cells, context))
}

/** The columns of the row that identify the people it names. */
function rowFor(who: Who, column: (name: string) => unknown): Row {
  const named = fieldNaming(who)
  const ids = ['id', 'owner_id', ...(named === null ? [] : [`${named}_id`])]
  return {
    ...Object.fromEntries(ids.map((name) => [name, Number(column(name) ?? 0)])),
    ...Object.fromEntries(['account_id', 'owner_type'].map((name) => [name, column(name) as Json])),
  }
}

/** References to the records that rows name by type and id; one query per type. */
async function mentionedBy(deps: AnswerDeps, call: Call, shape: Shape, rows: readonly (readonly unknown[])[], sight: Sight) {
  const wanted = new Map<string, Set<number>>()
  for (const mention of shape.mentions) {
    for (const cells of rows) {
      const one = mention(cells)
      if (one) wanted.set(one.type, (wanted.get(one.type) ?? new Set()).add(one.id))
    }
  }
  const found = new Map<string, Json>()
  for (const [name, ids] of wanted) {
    if (!deps.catalog.types.has(name)) continue
    const type = deps.catalog.type(name)
    const reference = referenceShape(type, deps.catalog)
    const cells = await deps.queries.cells(
      call,
      { type, where: { path: ['id'], op: 'in', values: [...ids] }, language: call.language },
      reference.slots,
    )
    for (const output of await writeAnswers(deps, call, reference, cells, sight)) found.set(`${name} ${output['id']}`, output)
  }
  return found
}

/** Types of sub-records that the caller sees only in part, of those that the responses may contain copies of. */
async function partialParts(deps: ReadDeps, call: Call, shape: Shape, rows: readonly (readonly unknown[])[]) {
  const owners = new Set(shape.copies.flatMap((slot) => rows.map((cells) => String(cells[slot]))))
  const parts = new Set([...owners].flatMap((name) => [...(deps.catalog.types.get(name)?.parts.values() ?? [])]))
  const partial = new Set<string>()
  for (const type of [...parts].map((name) => deps.catalog.type(name))) {
    const isWhole = (await deps.decisions.isOpen(call, type)) && (await deps.scope.seesAll(call, type))
    if (!isWhole) partial.add(type.name)
  }
  return partial
}

async function foreignAccounts(
  deps: Pick<AnswerDeps, 'accountNames'>,
  call: Call,
  shape: Shape,
  rows: readonly (readonly unknown[])[],
  home: string,
) {
  const ids = new Set<string>()
  for (const cells of rows) {
    for (const slot of shape.accountSlots) {
      const id = cells[slot]
      // Internal notes of passed records name the caller's own account, too.
      if (typeof id === 'string' && (id !== home || call.passed)) ids.add(id)
    }
  }
  return ids.size === 0 ? new Map<string, string>() : deps.accountNames(call, [...ids])
}

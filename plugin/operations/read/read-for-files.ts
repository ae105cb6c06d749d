/** Reads records for files: page after page in the order of their ids, with what is connected with those of a page. */
import { opensType } from '../../access/tokens/token-limits.js'
import type { Call } from '../../core/call.js'
import { chunksOf, MAX_LISTED } from '../../core/chunks.js'
import type { RecordType } from '../../schema/catalog.js'
import { listShape, type Shape } from '../../schema/derive/shape.js'
import { ANYTHING, type Criterion } from '../../schema/language/conditions.js'
import type { Output } from '../contract.js'
import { writeAnswers } from './answers.js'
import type { AnswerDeps } from './read-deps.js'
import { partsOfOwners } from './visible.js'

const BY_ID = [{ field: 'id', descending: false }]

/** Reads with a number of queries that does not grow with the records. */
export interface FileReading {
  /**
   * The records of the account after an id, in the order of their ids.
   *
   * @param request fields to read: the same list for each page; `also` restricts the records further
   * @throws Forbidden if the type is closed to the caller
   */
  readAfter(
    call: Call,
    type: string,
    request: {
      readonly after: number
      readonly limit: number
      readonly fields: readonly string[]
      readonly also?: Criterion | undefined
    },
  ): Promise<readonly Output[]>

  /** The sub-records of one type that the caller sees, by the ids of their owners, in the order of their own ids. */
  partsOf(
    call: Call,
    ownerType: string,
    type: string,
    ids: readonly number[],
    fields: readonly string[],
  ): Promise<ReadonlyMap<number, readonly Output[]>>

  /**
   * The values of a field, and the account, of records that the caller may refer to, by id. Those that the caller may not refer
   * to are missing.
   */
  valuesOf(
    call: Call,
    type: string,
    field: string,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, { readonly value: string; readonly accountId: string }>>

  /** The ids of the records that a link or list of children connects with these, as far as the caller may know them. */
  connectedIds(call: Call, type: string, path: string, ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>
}

export function createFileReading(deps: AnswerDeps): FileReading {
  const { catalog, decisions, queries, scope } = deps
  const shapeOf = shapesOf(deps)

  return {
    async readAfter(call, typeName, { after, also, fields, limit }) {
      const type = catalog.type(typeName)
      await decisions.decide(call, 'read', type, null)
      const tests: Criterion[] = [await scope.listed(call, type, ANYTHING), { path: ['id'], op: '>', values: [after] }]
      const where = await scope.resolve(call, { all: also ? [...tests, also] : tests })
      const shape = shapeOf(type, fields)
      const cells = await queries.cells(call, { type, where, sort: BY_ID, limit, language: call.language }, shape.slots)
      return writeAnswers(deps, call, shape, cells)
    },

    async partsOf(call, ownerName, typeName, ids, fields) {
      const type = catalog.type(typeName)
      if (ids.length === 0 || !(await decisions.isOpen(call, type))) return new Map()
      const seen = await scope.visible(call, type, catalog.type(ownerName))
      const where: Criterion = { all: [partsOfOwners(ownerName, ids), seen] }
      const shape = shapeOf(type, fields)
      const rows = await queries.cells(call, { type, where, sort: BY_ID, language: call.language }, [
        ['owner_id'],
        ...shape.slots,
      ])
      const outputs = await writeAnswers(
        deps,
        call,
        shape,
        rows.map(([, ...cells]) => cells),
      )
      return byOwner(rows.map(([owner], index) => [Number(owner), outputs[index] ?? {}] as const))
    },

    async connectedIds(call, typeName, path, ids) {
      const type = catalog.type(typeName)
      const link = type.links.get(path)
      const child = type.children.get(path)
      const other = catalog.type(link?.record ?? child?.record ?? '')
      if (ids.length === 0 || !opensType(call, other) || !(await decisions.isOpen(call, other))) return new Map()
      const pairs = link
        ? await queries.linkedCells(call, link, ids, { type: other, where: await scope.reachable(call, other), sort: BY_ID }, [
            ['id'],
          ])
        : await childrenOf(call, other, child?.linkedWith ?? '', ids)
      return byOwner(pairs.map(([owner, id]) => [Number(owner), Number(id)] as const))
    },

    async valuesOf(call, typeName, field, ids) {
      const type = catalog.type(typeName)
      if (ids.length === 0 || !(await decisions.isOpen(call, type))) return new Map()
      const reachable = await scope.reachable(call, type)
      const found = new Map<number, { value: string; accountId: string }>()
      for (const some of chunksOf(ids, MAX_LISTED)) {
        const where: Criterion = { all: [{ path: ['id'], op: 'in', values: some }, reachable] }
        for (const [id, value, account] of await queries.cells(call, { type, where }, [['id'], [field], ['account_id']]))
          found.set(Number(id), { value: String(value ?? ''), accountId: String(account) })
      }
      return found
    },
  }

  async function childrenOf(call: Call, type: RecordType, by: string, ids: readonly number[]) {
    const where: Criterion = { all: [{ path: [by], op: 'in', values: ids }, await scope.visible(call, type)] }
    return queries.cells(call, { type, where, sort: BY_ID }, [[by], ['id']])
  }
}

/** Shapes are compiled once per type and choice of fields: callers keep the list of names. */
function shapesOf({ catalog }: AnswerDeps) {
  const shapes = new WeakMap<readonly string[], Map<string, Shape>>()
  return (type: RecordType, fields: readonly string[]): Shape => {
    const ofFields = shapes.get(fields) ?? new Map<string, Shape>()
    shapes.set(fields, ofFields)
    const shape = ofFields.get(type.name) ?? listShape(type, catalog, fields)
    ofFields.set(type.name, shape)
    return shape
  }
}

function byOwner<T>(pairs: readonly (readonly [owner: number, one: T])[]): ReadonlyMap<number, readonly T[]> {
  const found = new Map<number, T[]>()
  for (const [owner, one] of pairs) found.set(owner, [...(found.get(owner) ?? []), one])
  return found
}

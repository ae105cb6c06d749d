/** Finds records for endpoints that are not collections, by criteria that query parameters cannot express. */
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/catalog.js'
import { fullShape, referenceShape } from '../../schema/derive/shape.js'
import { type Criterion, NOTHING } from '../../schema/language/conditions.js'
import type { Operations } from '../contract.js'
import { writeAnswers } from './answers.js'
import type { AnswerDeps, ReadDeps } from './read-deps.js'

/** Full records and references, in the form of all other responses. */
export function createFinding(deps: AnswerDeps): Pick<Operations, 'find' | 'refer'> {
  const { catalog, queries } = deps

  return {
    async find(call, typeName, criteria, limit) {
      const type = catalog.type(typeName)
      await deps.decisions.decide(call, 'read', type, null)
      const visible = await deps.scope.visible(call, type)
      const { sort } = type.collection
      const ids = new Set<number>()
      for (const criterion of criteria) {
        const where: Criterion = { all: [visible, await ofSeenParts(deps, call, type, criterion)] }
        for (const [id] of await queries.cells(call, { type, where, sort, limit }, [['id']])) ids.add(Number(id))
      }
      if (ids.size === 0) return []
      const shape = fullShape(type, catalog)
      const where: Criterion = { path: ['id'], op: 'in', values: [...ids] }
      const selection = { type, where, sort, limit, language: call.language }
      return writeAnswers(deps, call, shape, await queries.cells(call, selection, shape.slots))
    },

    async refer(call, typeName, ids) {
      if (ids.length === 0) return []
      const type = catalog.type(typeName)
      const shape = referenceShape(type, catalog)
      const where: Criterion = { path: ['id'], op: 'in', values: ids }
      const selection = { type, where, language: call.language }
      return writeAnswers(deps, call, shape, await queries.cells(call, selection, shape.slots))
    },
  }
}

/** The criterion, which sub-records that the caller does not see cannot meet. */
async function ofSeenParts(deps: ReadDeps, call: Call, type: RecordType, criterion: Criterion): Promise<Criterion> {
  if ('all' in criterion) return { all: await each(criterion.all, (one) => ofSeenParts(deps, call, type, one)) }
  if ('any' in criterion) return { any: await each(criterion.any, (one) => ofSeenParts(deps, call, type, one)) }
  const part = 'part' in criterion ? type.parts.get(criterion.part) : undefined
  if (!('part' in criterion) || part === undefined) return criterion
  const other = deps.catalog.type(part)
  if (!(await deps.decisions.isOpen(call, other))) return NOTHING
  if (await deps.scope.seesAll(call, other)) return criterion
  return { ...criterion, where: { all: [criterion.where, await deps.scope.ofSeen(call, other)] } }
}

async function each<T>(values: readonly T[], make: (value: T) => Promise<T>): Promise<readonly T[]> {
  const made: T[] = []
  for (const value of values) made.push(await make(value))
  return made
}

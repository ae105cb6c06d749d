/** Finds records for endpoints that are not collections, by criteria that query parameters cannot express. */
import type { Criterion } from '../../schema/conditions.js'
import { fullShape, referenceShape } from '../../schema/derive/shape.js'
import type { OperationDeps } from '../deps.js'
import type { Operations } from '../operations.js'
import { writeAnswers } from './answers.js'

/** Full records and references, in the form of all other responses. */
export function createFinding(deps: OperationDeps): Pick<Operations, 'find' | 'refer'> {
  const { catalog, queries } = deps

  return {
    async find(call, typeName, criteria, limit) {
      const type = catalog.type(typeName)
      await deps.decisions.decide(call, 'read', type, null)
      const visible = await deps.scope.visible(call, type)
      const { sort } = type.collection
      const ids = new Set<number>()
      for (const criterion of criteria) {
        const where: Criterion = { all: [visible, criterion] }
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

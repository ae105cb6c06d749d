/** Objection models of the record tables, created from the catalog and bound to one database, so that instances coexist. */
import type { Knex } from 'knex'
import type { Model } from 'objection'
import { checkPackage, loadPackage } from '../../core/load-package.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import type { AnyRecords, ColumnsIn } from '../../schema/types/typed-records.js'
import type { Storage } from '../database/connections.js'

/** A model whose instances have the columns of a record type. */
export type ModelOf<Columns> = typeof Model & (new () => Model & Columns)

/** Objection models of record types. */
export interface Models<out T extends object = AnyRecords> {
  /**
   * The model of a record type: columns as properties, values in the form of the database.
   *
   * @throws Error for a type that the catalog does not have
   */
  of<K extends keyof T & string>(type: K): ModelOf<ColumnsIn<T, K>>
  /** The model of a compiled record type. */
  of(type: RecordType): typeof Model
}

/**
 * Models for all record types of the catalog, each created when it is first asked for. Nothing is shared with other instances:
 * `Model.knex()` is never called.
 *
 * @throws Error with the code MODULE_NOT_FOUND if the host has not installed Objection
 */
export function createModels(storage: Storage, catalog: Catalog): Models {
  checkPackage('objection')
  const models = new Map<string, typeof Model>()
  return {
    of(given: string | RecordType) {
      const name = typeof given === 'string' ? given : given.name
      const known = models.get(name)
      if (known) return known
      const type = catalog.types.get(name)
      if (!type) throw new Error(`There is no model of '${name}'`)
      const model = modelOf(storage, type)
      models.set(name, model)
      return model
    },
  }
}

function modelOf(storage: Storage, type: RecordType): typeof Model {
  const { Model } = loadPackage('objection')
  const model = class extends Model {
    static override get tableName() {
      return storage.table(type.table)
    }
  }
  Object.defineProperty(model, 'name', { value: type.name })
  return model.bindKnex(storage.knex as Knex) as typeof Model
}

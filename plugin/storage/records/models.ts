/** Objection models of the record tables, created from the catalog and bound to one database, so that instances coexist. */
import type { Knex } from 'knex'
import { Model } from 'objection'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import type { Storage } from '../database/connections.js'

export interface Models {
  /** The model of a record type: columns as properties, values in the form of the database. */
  of(type: RecordType): typeof Model
}

/**
 * Creates models for all record types of the catalog. Nothing is shared with other instances: `Model.knex()` is never called.
 */
export function createModels(storage: Storage, catalog: Catalog): Models {
  const models = new Map([...catalog.types.values()].map((type) => [type.name, modelOf(storage, type)]))
  return {
    of(type) {
      const model = models.get(type.name)
      if (!model) throw new Error(`There is no model of '${type.name}'`)
      return model
    },
  }
}

function modelOf(storage: Storage, type: RecordType): typeof Model {
  const model = class extends Model {
    static override get tableName() {
      return storage.table(type.table)
    }
  }
  Object.defineProperty(model, 'name', { value: type.name })
  return model.bindKnex(storage.knex as Knex) as typeof Model
}

import { administratorsMayRead } from '../../access/sight/decide.js'
import { BadRequest } from '../../core/errors.js'
import type { Catalog } from '../../schema/catalog.js'
import { readTerms } from '../../schema/derive/filter-text.js'

/** The mistake in a filter of records of a type, as the lists of the type report it; null if there is none. */
export function mistakeInFilter(catalog: Catalog, typeName: string, text: string): string | null {
  const type = catalog.types.get(typeName)
  if (!type || type.collection.filterable.size === 0) return `There is no list of '${typeName}'`
  try {
    readTerms(type, text, administratorsMayRead)
    return null
  } catch (error) {
    if (error instanceof BadRequest) return error.message
    throw error
  }
}

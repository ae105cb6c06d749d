/** Entry point of this folder: definitions become the catalog that all other code works with. */
import { SHARED_LISTS } from '../words/shared-lists.js'
import type { Catalog } from './catalog.js'
import { compile, compileChecked } from './compile/compile.js'
import type { Definition } from './language/define-record.js'
import type { Extension } from './language/extend-record.js'

export { permissionsOf } from './derive/permission-table.js'
export type { Definition } from './language/define-record.js'
export type { Extension } from './language/extend-record.js'
export type { TypesOf } from './types/typed-records.js'

/** What a host adds to our definitions. */
export interface HostDefinitions {
  readonly records: readonly Definition[]
  readonly extend: readonly Extension[]
}

/**
 * Compiles our definitions and those of the host.
 *
 * @param endpoints URL paths that record types cannot have: those of all endpoints
 * @throws InvalidDefinition with every mistake in every definition
 */
export function createCatalog(
  ours: readonly Definition[],
  { records, extend }: HostDefinitions,
  endpoints: readonly string[],
): Catalog {
  // A spec checks our own definitions, so that a start need not; what a host adds can make mistakes in both.
  const isOurs = records.length === 0 && extend.length === 0
  if (isOurs) return compileChecked(ours, [], SHARED_LISTS)
  return compile([...ours, ...records], extend, SHARED_LISTS, endpoints)
}

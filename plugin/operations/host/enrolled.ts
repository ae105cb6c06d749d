import type { LocalApi, RecordApi } from './record-api.js'

type Enrol = <T>(operation: () => Promise<T>) => Promise<T>

/**
 * The functions of a local API, each of which is enrolled before anything is awaited: a commit in the same tick, or the end of the
 * function that `knex.transaction()` got, waits for it. Exports are read page by page, each enrolled when it is asked for.
 */
export function enrolled(api: LocalApi, enrol: Enrol): LocalApi {
  return { ...allOf(api, enrol), strict: allOf(api.strict, enrol) }
}

function allOf<A extends RecordApi>(api: A, enrol: Enrol): A {
  const functions = Object.entries(api).map(([name, operation]) => {
    if (typeof operation !== 'function' || name === 'export') return [name, operation]
    return [name, (...given: unknown[]) => enrol(() => operation(...given))]
  })
  return Object.fromEntries(functions)
}

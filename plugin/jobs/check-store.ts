/** Finds mistakes in the options of the job store, as far as they show without connecting. */

/** Returns the mistakes in the options `mongo` and `jobs.backend`. */
export function mistakesInJobStore(mongo: unknown, backend: unknown): readonly string[] {
  const { url, db } = Object(mongo) as { readonly url?: unknown; readonly db?: unknown }
  const isAddress = typeof url !== 'string' || /^mongodb(\+srv)?:\/\/./.test(url)
  return [
    ...(isAddress ? [] : ["mongo.url: must look like 'mongodb://host:port/database'"]),
    ...(lacks(db, 'collection', 'command') ? ['mongo.db: must be a database of the package mongodb, client.db()'] : []),
    ...(lacks(backend, 'connect') ? ["jobs.backend: must be 'memory' or an AgendaBackend, and has no connect()"] : []),
  ]
}

/** True for an object without one of the methods. */
function lacks(given: unknown, ...methods: readonly string[]): boolean {
  if (typeof given !== 'object' || given === null) return false
  return methods.some((name) => typeof (given as { readonly [name: string]: unknown })[name] !== 'function')
}

/** Finds mistakes in the options of the job store, as far as they show without connecting. */

/** Returns the mistake in the option `mongo.url`. */
export function mistakesInMongoUrl(url: unknown): readonly string[] {
  const isAddress = typeof url !== 'string' || /^mongodb(\+srv)?:\/\/./.test(url)
  return isAddress ? [] : ["mongo.url: must look like 'mongodb://host:port/database'"]
}

/** Returns the mistake in the option `mongo.db`. */
export function mistakesInMongoDb(db: unknown): readonly string[] {
  return lacks(db, 'collection', 'command') ? ['mongo.db: must be a database of the package mongodb, client.db()'] : []
}

/** Returns the mistake in the option `jobs.backend`. */
export function mistakesInBackend(backend: unknown): readonly string[] {
  if (typeof backend === 'string' && backend !== 'memory') return ["jobs.backend: must be 'memory' or an AgendaBackend"]
  return lacks(backend, 'connect') ? ["jobs.backend: must be 'memory' or an AgendaBackend, and has no connect()"] : []
}

/** True for an object without one of the methods. */
function lacks(given: unknown, ...methods: readonly string[]): boolean {
  if (typeof given !== 'object' || given === null) return false
  return methods.some((name) => typeof (given as { readonly [name: string]: unknown })[name] !== 'function')
}

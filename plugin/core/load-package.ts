import { createRequire } from 'node:module'

/**
 * Packages that are loaded where they are needed, by code that cannot wait for `import()`: no process pays for one that it does
 * not use (ADR 0066).
 */
interface Packages {
  readonly ajv: typeof import('ajv')
  readonly knex: typeof import('knex')
  readonly libsql: new (filename: string) => object
  readonly objection: typeof import('objection')
  readonly pino: typeof import('pino')
  readonly 'knex/lib/dialects/better-sqlite3/index.js': typeof import('knex/lib/dialects/better-sqlite3/index.js').default
}

const require = createRequire(import.meta.url)

/**
 * Returns a package, which is loaded at the first call. It is the same copy that an `import` of this name gets, because all of
 * these packages are CommonJS. Code that is asynchronous anyway uses `import()`.
 *
 * @throws Error with the code MODULE_NOT_FOUND if it is not installed
 */
export function loadPackage<Name extends keyof Packages>(name: Name): Packages[Name] {
  return require(name)
}

import { createRequire } from 'node:module'

/**
 * Packages that are loaded where they are needed, by code that cannot wait for `import()`: no process pays for one that it does
 * not use (ADR 0066).
 */
interface Packages {
  readonly ajv: typeof import('ajv')
  readonly 'ipaddr.js': typeof import('ipaddr.js')
  readonly knex: typeof import('knex')
  readonly libsql: new (filename: string) => object
  readonly objection: typeof import('objection')
  readonly pino: typeof import('pino')
  readonly 'rate-limiter-flexible/lib/RateLimiterMemory.js': typeof import('rate-limiter-flexible').RateLimiterMemory
  readonly 'rate-limiter-flexible/lib/RateLimiterMySQL.js': typeof import('rate-limiter-flexible').RateLimiterMySQL
  readonly 'rate-limiter-flexible/lib/RateLimiterRes.js': typeof import('rate-limiter-flexible').RateLimiterRes
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

/** Makes sure that a package can be loaded later, without loading it. @throws as `loadPackage` does */
export function checkPackage(name: keyof Packages): void {
  require.resolve(name)
}

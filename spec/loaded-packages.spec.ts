/**
 * Which packages a process loads before it does anything (ADR 0066). A name that is added here makes every start of every host
 * slower: what not every process needs is loaded where it is used.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Loaded } from './support/loading.js'
import { moduleUrl, NODE_FLAGS } from './support/modules.js'

/** Packages that we import, and the packages that these load. */
const OF_IMPORT: Readonly<Record<string, readonly string[]>> = {
  '@koa/router': ['debug', 'has-flag', 'http-errors', 'koa-compose', 'ms', 'path-to-regexp', 'supports-color'],
  koa: [
    ...['accepts', 'content-disposition', 'content-type', 'cookies', 'deep-equal', 'delegates', 'depd', 'destroy', 'ee-first'],
    ...['encodeurl', 'escape-html', 'fresh', 'http-assert', 'inherits', 'keygrip', 'media-typer', 'mime-db', 'mime-types'],
    ...['negotiator', 'on-finished', 'parseurl', 'setprototypeof', 'statuses', 'toidentifier', 'tsscmp', 'type-is', 'vary'],
  ],
  luxon: [],
}
const OF_KNEX = ['colorette', 'debug', 'knex', 'lodash', 'ms', 'pg-connection-string', 'tarn']
/** The platform has a package of its own, such as @libsql/linux-x64-gnu. */
const OF_LIBSQL = ['@neon-rs/load', 'detect-libc', 'libsql']
/** Counts wrong passwords and calls. */
const OF_LIMITS = ['rate-limiter-flexible']
/** Files of packages that are loaded. */
const MOST_FILES = { imported: 70, created: 370 }

describe('loaded packages', () => {
  let embedded: Awaited<ReturnType<typeof loadedWith>>

  before(async () => {
    embedded = await loadedWith('sqlite::memory:')
  })

  it('are few when the plugin is imported', () => {
    const { files, packages } = embedded.imported
    expect(packages).to.deep.equal([...Object.keys(OF_IMPORT), ...Object.values(OF_IMPORT).flat()].sort())
    expect(files).to.be.below(MOST_FILES.imported)
  })

  it('are those of the database when a plugin is created', () => {
    const { files, packages } = embedded.created
    const expected = [...OF_KNEX, ...OF_LIBSQL, ...OF_LIMITS].sort()
    expect(packages.filter((name) => !name.startsWith('@libsql/'))).to.deep.equal(expected)
    // With all stores of rate-limiter-flexible, there would be 30 more.
    expect(files).to.be.below(MOST_FILES.created)
  })

  it('are those of a server if the database is one', async () => {
    const { packages } = (await loadedWith('mysql://root@127.0.0.1:1/desk')).created
    expect(packages).to.include.members([...OF_KNEX, 'mysql2'])
    expect(packages.filter((name) => /sqlite|libsql|^(ajv|objection|pino)$/.test(name))).to.deep.equal([])
  })

  it('come with our own modules, except for those of jobs that are started, and of other entries', () => {
    const { imported, created } = embedded
    expect(imported.own).to.include.members(['plugin/create-plugin', 'plugin/jobs/job-queue', 'migrations/index'])
    expect(
      imported.own.filter((name) => /^plugin\/(command-line|http\/handbook|receive|testing)\/|agenda/.test(name)),
    ).to.deep.equal([])
    expect(created.own).to.deep.equal([])
  })
})

async function loadedWith(database: string): Promise<{ readonly imported: Loaded; readonly created: Loaded }> {
  const child = fileURLToPath(moduleUrl('spec/support/loading'))
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_FLAGS, child, database])
  return JSON.parse(stdout)
}

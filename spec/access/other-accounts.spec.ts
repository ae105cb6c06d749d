import { expect } from 'chai'
import { ROLES } from '../../plugin/core/call.js'
import type { RecordType } from '../../plugin/schema/catalog.js'
import { countStatements } from '../support/count-statements.js'
import { withMounted } from '../support/mounted.js'
import type { OpenapiDocument } from '../support/openapi.js'
import { allPaths } from '../support/short-forms.js'

/** An id that no record has. */
const UNKNOWN = 987_654_321

/**
 * Stan may do everything in an account that no other account trusts, paula everything in one that widgets trusts. Records of
 * widgets are tried on every path.
 */
describe('records of other accounts', () => {
  const mounted = withMounted('bare', { rateLimit: { burst: false, perHour: 1_000_000 } })
  /** Ids of records of widgets by type: the last one of each. */
  const theirs = new Map<string, readonly number[]>()
  const types = () => [...mounted.itsm.catalog.types.values()].filter(({ partOf }) => partOf.length === 0)

  before(async () => {
    const { itsm, world, database } = mounted
    for (const [name, account] of [
      ['stan', 'stranger'],
      ['paula', 'partner'],
    ] as const) {
      await itsm.grant(world.id(name), account, [...ROLES])
    }
    for (const type of types()) {
      const rows: { id: unknown }[] = await database
        .knex(database.storage.table(type.table))
        .where({ account_id: 'widgets' })
        .orderBy('id')
        .select('id')
      theirs.set(
        type.name,
        rows.slice(-1).map(({ id }) => Number(id)),
      )
    }
  })

  const ask = async (as: string, method: string, path: string, body?: object) => {
    const { status, json, headers } = await mounted.ask(as, method, path, body)
    return { status, json, total: headers['x-pagination-total-entries'] }
  }

  it('without trust are unknown ids at every path, also to people with all roles', async function () {
    this.timeout(120_000)
    const document = (await mounted.ask(null, 'GET', '/openapi.json')).json as OpenapiDocument
    let tried = 0
    for (const [path, verbs] of allPaths(document).filter(([one]) => one.includes('{id}'))) {
      const type = types().find((one) => path.startsWith(`/${one.path}/{id}`))
      for (const id of type ? (theirs.get(type.name) ?? []) : []) {
        const at = (which: number) => path.replace('{id}', String(which)).replace(/\{\w+\}/g, '1')
        for (const verb of verbs) {
          const body = ['post', 'patch', 'put'].includes(verb) ? {} : undefined
          const [found, unknown] = [
            await ask('stan', verb.toUpperCase(), at(id), body),
            await ask('stan', verb.toUpperCase(), at(UNKNOWN), body),
          ]
          tried += 1
          expect(found, `${verb} ${at(id)}`).to.deep.equal(unknown)
          // Parameters that are missing are reported before the record is looked for.
          expect(found.status, `${verb} ${at(id)}`).to.be.oneOf([400, 403, 404])
        }
      }
    }
    expect(tried).to.be.greaterThan(500)
  })

  it('without trust are unknown ids in bodies, in links and in filters', async function () {
    this.timeout(120_000)
    let tried = 0
    const compare = async (
      method: string,
      path: (id: number) => string,
      body: (id: number) => object | undefined,
      id: number,
    ) => {
      const [found, unknown] = [
        await ask('stan', method, path(id), body(id)),
        await ask('stan', method, path(UNKNOWN), body(UNKNOWN)),
      ]
      tried += 1
      expect(found, `${method} ${path(id)} ${JSON.stringify(body(id))}`).to.deep.equal(unknown)
    }
    const own = async (type: RecordType) => {
      const { json } = await ask('stan', 'GET', `/${type.path}?fields=id&per_page=1`)
      return Array.isArray(json) ? Number((json[0] as { id?: number } | undefined)?.id ?? 0) : 0
    }
    for (const type of types()) {
      for (const field of type.fields.values()) {
        const ids = theirs.get(field.record ?? '') ?? []
        if (field.kind !== 'ref' || !field.column) continue
        for (const id of ids) {
          if (!field.readOnly && type.operations.has('create')) {
            await compare(
              'POST',
              () => `/${type.path}`,
              (one) => ({ [`${field.name}_id`]: one }),
              id,
            )
          }
          await compare(
            'GET',
            (one) => `/${type.path}?${field.name}=${one}`,
            () => undefined,
            id,
          )
        }
      }
      const mine = await own(type)
      for (const [name, link] of mine > 0 ? type.links : []) {
        for (const id of theirs.get(link.record) ?? []) {
          await compare(
            'POST',
            (one) => `/${type.path}/${mine}/${name}/${one}`,
            () => ({}),
            id,
          )
        }
      }
    }
    expect(tried).to.be.greaterThan(200)
  })

  it('cost as many statements as unknown ids', async () => {
    const counter = countStatements(mounted.database.knex)
    for (const as of ['stan', 'paula']) {
      for (const type of types().filter(({ operations }) => operations.has('single'))) {
        const read = async (id: number) => {
          const { status } = await ask(as, 'GET', `/${type.path}/${id}`)
          return status
        }
        const [hidden] = await Promise.all(
          (theirs.get(type.name) ?? []).slice(0, 1).map(async (id) => ((await read(id)) === 200 ? null : id)),
        )
        if (!hidden) continue
        // Some calls ask again for the person and the roles, which are cached for two seconds, or run while others work.
        const costOf = async (id: number) => {
          const costs: number[] = []
          while (costs.length < 5) costs.push(await counter.during(() => read(id)))
          return Math.min(...costs)
        }
        expect(await costOf(hidden), `${as} ${type.name}`).to.equal(await costOf(UNKNOWN))
      }
    }
  })

  it('are in no list, except those that an account offers to accounts that it trusts', async function () {
    this.timeout(60_000)
    const found: Record<string, string[]> = { stan: [], paula: [] }
    for (const as of ['stan', 'paula']) {
      for (const type of types().filter(({ operations }) => operations.has('list'))) {
        for (const list of ['', ...[...type.lists.keys()].map((name) => `/${name}`)]) {
          const { status, json } = await ask(
            as,
            'GET',
            `/${type.path}${list}?fields=id&per_page=100${list.endsWith('roles') ? '&roles=specialist' : ''}`,
          )
          expect(status, `${type.path}${list}`).to.equal(200)
          const foreign = (json as readonly { account?: object }[]).some((one) => one.account)
          if (foreign) found[as]?.push(`${type.path}${list}`)
        }
      }
    }
    expect(found).to.deep.equal({ stan: [], paula: ['organizations/trusted'] })
  })

  it('of trusted accounts are read one by one only if a list offers them, or they were passed on', async () => {
    const seen: string[] = []
    for (const type of types().filter(({ operations }) => operations.has('single'))) {
      for (const id of theirs.get(type.name) ?? []) {
        const { status, json } = await ask('paula', 'GET', `/${type.path}/${id}`)
        if (status !== 200) expect(status, `${type.path}/${id}`).to.equal(404)
        else {
          expect((json as { account?: { id: string } }).account?.id, `${type.path}/${id}`).to.equal('widgets')
          seen.push(type.name)
        }
      }
    }
    expect([...new Set(seen)]).to.deep.equal(['organization'])
  })
})

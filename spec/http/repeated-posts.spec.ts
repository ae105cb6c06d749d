/** Every POST of the API, sent twice with the same Idempotency-Key: the second one does nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { RecordType } from '../../plugin/schema/catalog.js'
import { withContract } from '../support/contract.js'
import { placesOf } from '../support/contract-place.js'
import { countStatements } from '../support/count-statements.js'
import type { Reply } from '../support/mounted.js'
import { type OpenapiDocument, operationsOf } from '../support/openapi.js'

/** A request. */
interface Sample {
  readonly as: string | null
  readonly path: string
  readonly body?: object | Buffer
  readonly headers?: Record<string, string>
  /** Waits for the end of what the first one began. */
  readonly settled?: () => Promise<void>
  /** `secret` if its answer is shown only once, `refused` if nobody may do this, `keyless` if it ignores keys. */
  readonly is?: 'secret' | 'refused' | 'keyless'
}

describe('a POST with an Idempotency-Key', function () {
  this.timeout(120_000)
  const { deps, maker } = withContract({ oauth: {} })
  const { catalog, mounted } = deps

  const create = async (type: RecordType, path?: string) => {
    const [place] = placesOf(type, deps, maker).toSorted(
      (a, b) => Number(b.operations.has('create')) - Number(a.operations.has('create')),
    )
    if (!place) throw new Error(`${type.name} has no place`)
    const made = await maker.create(type, path ?? (await place.address()), maker.body(type, 'minimal'))
    return Number(made['id'])
  }
  const typeAt = (path: string) => {
    const type = catalog.byPath.get(path)
    if (!type) throw new Error(`No record type is at /${path}: this spec needs a sample of that POST`)
    return type
  }
  const form = (parts: Record<string, string | readonly [name: string, text: string]>): Pick<Sample, 'body' | 'headers'> => {
    const each = Object.entries(parts).map(([name, part]) =>
      typeof part === 'string'
        ? `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${part}\r\n`
        : `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${part[0]}"\r\n\r\n${part[1]}\r\n`,
    )
    return { body: Buffer.from(`${each.join('')}--x--\r\n`), headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }
  }
  const withPassword = (name: string) => {
    const { email, password } = mounted.world.signIn(name)
    return { as: null, headers: { Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` } }
  }
  const signed = async (): Promise<Sample> => {
    const path = `/webhooks/${await create(catalog.type('webhook'))}`
    const { status } = await mounted.ask('@owen', 'PATCH', path, { secret: true })
    expect(status).to.equal(200)
    return { as: '@owen', path: `${path}/rotate_secret`, is: 'secret' }
  }
  const testable = async (): Promise<Sample> => {
    const path = `/webhooks/${await create(catalog.type('webhook'))}`
    // The first test writes its result in the background.
    const ended = async () => (await mounted.ask('@owen', 'GET', path)).json as { last_error: string | null }
    return {
      as: '@owen',
      path: `${path}/test`,
      settled: async () => {
        while ((await ended()).last_error === null) await sleep(50)
      },
    }
  }
  const givenUp = async () => {
    const webhook = await create(catalog.type('webhook'))
    const { account_id } = (await mounted.database.knex('itsm_webhooks').where({ id: webhook }).first()) as {
      account_id: string
    }
    const time = '2026-11-21 09:00:00.000'
    const [delivery] = await mounted.database.knex('itsm_channel_deliveries').insert({
      ...{ channel: 'webhook', target: String(webhook), account_id, lane: 'lane', ordered_by: 'request/1', object_id: 1 },
      ...{
        content: JSON.stringify({ link: '', body: 'a=b' }),
        state: 'failed',
        next_at: time,
        created_at: time,
        finished_at: time,
      },
    })
    return { webhook, delivery }
  }
  const broadcastFor = async (more: object) =>
    (
      await maker.create(catalog.type('broadcast'), '/broadcasts', {
        ...maker.body(catalog.type('broadcast'), 'minimal'),
        ...maker.named(more),
      })
    )['id']

  /** Endpoints that belong to no record type, and paths that need more than a minimal body. */
  const samples: Readonly<Record<string, () => Promise<Sample>>> = {
    '/attachments': async () => ({ as: '@ines', path: '/attachments', ...form({ file: ['a.txt', 'some text'] }) }),
    '/events': async () => ({ as: '@ines', path: '/events', body: { subject: `Disk full ${Math.random()}`, note: 'C:' } }),
    '/export': async () => ({ as: '@owen', path: '/export', body: { type: 'people' } }),
    '/import': async () => ({
      as: '@owen',
      path: '/import',
      ...form({ type: 'people', file: ['people.csv', 'Primary Email,Name\r\nnew@wdc.example,New\r\n'] }),
    }),
    '/imports/{id}/undo': async () => {
      const imports = mounted.database.knex('itsm_imports')
      // Nothing works on the one of the sample above.
      await imports.clone().update({ state: 'done', lines_after: 0, lines_until: 0 })
      return { as: '@owen', path: `/imports/${(await imports.clone().first('id'))?.id}/undo` }
    },
    '/me/reset_api_token': async () => ({ ...withPassword('@sam'), path: '/me/reset_api_token', is: 'secret' }),
    '/me/tokens': async () => ({ ...withPassword('@sam'), path: '/me/tokens', body: { name: 'Script' }, is: 'secret' }),
    '/me/oauth_clients': async () => ({
      ...withPassword('@sam'),
      path: '/me/oauth_clients',
      body: { name: 'Robot' },
      is: 'secret',
    }),
    '/oauth/token': async () => {
      const { client_id, client_secret } = await mounted.itsm.oauthClients.create(mounted.world.id('@sam'), { name: 'Robot 2' })
      const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      return { as: null, path: '/oauth/token', body: Buffer.from(String(form)), headers, is: 'keyless' }
    },
    '/people/{id}/permissions/{account_id}': async () => ({
      as: '@owen',
      path: `/people/${await create(catalog.type('person'))}/permissions/widgets?roles=specialist`,
    }),
    '/requests/{id}/satisfied': async () => ({
      as: '@hank',
      path: `/requests/${mounted.world.id('@forgotten-password')}/satisfied`,
    }),
    '/requests/{id}/dissatisfied': async () => ({
      as: '@hank',
      path: `/requests/${mounted.world.id('@forgotten-password')}/dissatisfied`,
      body: { note: 'Still slow.', reopen: true },
    }),
    '/deliveries/{id}/retry': async () => ({ as: '@owen', path: `/deliveries/${(await givenUp()).delivery}/retry` }),
    '/webhooks/{id}/deliveries/{delivery_number}/retry': async () => {
      const { delivery, webhook } = await givenUp()
      return { as: '@owen', path: `/webhooks/${webhook}/deliveries/${delivery}/retry` }
    },
    '/webhooks/{id}/replay': async () => ({
      as: '@owen',
      path: `/webhooks/${(await givenUp()).webhook}/replay`,
      body: { from: '2026-11-21T08:00:00Z' },
    }),
    '/webhooks/{id}/rotate_secret': signed,
    '/webhooks/{id}/test': testable,
    '/requests/{id}/affected_slas': async () => ({
      as: '@owen',
      path: `/requests/${await create(catalog.type('request'))}/affected_slas`,
      body: {},
      is: 'refused',
    }),
    '/organizations/{id}/addresses': async () => ({
      as: '@owen',
      path: `/organizations/${mounted.world.id('@widget-sales')}/addresses`,
      body: { label: 'billing', city: 'Utrecht' },
    }),
    '/organizations/{id}/contacts': async () => ({
      as: '@owen',
      path: `/organizations/${mounted.world.id('@widget-sales')}/contacts`,
      body: { label: 'general', telephone: '+31201234567' },
    }),
    '/broadcasts/{id}/service_instances/{service_instance_id}': async () => ({
      as: '@marc',
      path: `/broadcasts/${await broadcastFor({ visibility: 'covered_for', service_instance_ids: ['@email-europe'] })}/service_instances/${mounted.world.id('@laptops')}`,
    }),
    '/broadcasts/{id}/teams/{team_id}': async () => ({
      as: '@marc',
      path: `/broadcasts/${await broadcastFor({ visibility: 'members_of_teams', team_ids: ['@email-support'] })}/teams/${await create(catalog.type('team'))}`,
    }),
  }

  /** A sample for the path of a POST in the document. */
  const sampleOf = async (template: string): Promise<Sample> => {
    const own = samples[template]
    if (own) return own()
    const [path = '', , below, last] = template.slice(1).split('/')
    const type = typeAt(path)
    if (below === undefined) return { as: maker.maker(type), path: `/${path}`, body: maker.body(type, 'minimal') }
    const part = type.parts.get(below) ?? (last === undefined ? type.children.get(below)?.record : undefined)
    const address = async () => `/${path}/${await create(type)}/${below}`
    if (part) {
      const made = catalog.type(part)
      return { as: maker.maker(made), path: await address(), body: maker.body(made, 'minimal') }
    }
    const other = catalog.type(type.links.get(below)?.record ?? type.children.get(below)?.record ?? '')
    if (other !== type) return { as: maker.maker(type), path: `${await address()}/${await create(other)}` }
    // Records that follow each other have the same owner.
    const [place] = placesOf(type, deps, maker).filter(({ operations }) => operations.has('create'))
    const at = (await place?.address()) ?? ''
    return { as: maker.maker(type), path: `/${path}/${await create(type, at)}/${below}/${await create(type, at)}` }
  }

  const send = ({ as, body, headers, path }: Sample, key: string): Promise<Reply> =>
    mounted.ask(as, 'POST', path, body, { ...headers, 'Idempotency-Key': key })

  it('does nothing twice, at any path', async () => {
    const document = (await mounted.ask(null, 'GET', '/openapi.json')).json as OpenapiDocument
    const templates = Object.keys(document.paths).filter((path) => operationsOf(document, path)['post'])
    expect(templates).to.have.length.above(60)
    expect(Object.keys(samples).filter((path) => !templates.includes(path))).to.deep.equal([])
    const wrong: string[] = []
    for (const template of templates) {
      const sample = await sampleOf(template).catch((error: Error) => error)
      if (sample instanceof Error) {
        wrong.push(`POST ${template}: no sample: ${sample.message}`)
        continue
      }
      const first = await send(sample, 'one')
      if (first.status > 204 !== (sample.is === 'refused')) {
        wrong.push(`POST ${template}: the sample is refused: ${first.status} ${first.text.slice(0, 300)}`)
        continue
      }
      await sample.settled?.()
      if (sample.is === 'keyless') {
        const again = await send(sample, 'one')
        if (again.status !== first.status || again.text === first.text) wrong.push(`POST ${template}: ${again.text}`)
        continue
      }
      let second = first
      const all = await countStatements(mounted.database.knex).writesOf(async () => {
        second = await send(sample, 'one')
      })
      const writes = all.filter((sql) => !sql.includes('idempotency_keys'))
      if (writes.length > 0) wrong.push(`POST ${template}: the repeat writes: ${writes[0]}`)
      if (sample.is === 'secret') {
        if (second.status !== 422 || !second.text.includes('idempotency_key')) wrong.push(`POST ${template}: ${second.text}`)
        continue
      }
      if ((second.headers['idempotent-replayed'] === 'true') !== (sample.is === undefined))
        wrong.push(`POST ${template}: is not told to be a repeat`)
      const told = (reply: Reply) => [reply.status, reply.text, reply.headers['location'], reply.headers['x-ignored-fields']]
      if (JSON.stringify(told(first)) !== JSON.stringify(told(second))) {
        wrong.push(`POST ${template}: ${JSON.stringify(told(first))} is repeated as ${JSON.stringify(told(second))}`)
      }
    }
    expect(wrong.join('\n')).to.equal('')
  })
})

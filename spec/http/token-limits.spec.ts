/** Tries every route of the interface with limited tokens: what opens with them must be what their limits name. */
import { expect } from 'chai'
import { fixtures, withMounted } from '../support/mounted.js'

const PASSWORD = 'correct horse battery'

interface Operation {
  readonly method: string
  /** As in the document, with names in braces. */
  readonly template: string
  readonly path: string
}

describe('every route', () => {
  const mounted = withMounted()
  let operations: readonly Operation[] = []
  let signIn = {}

  const firstOf = (type: string): number => {
    const found = fixtures.world.records.find((one) => one.type === type && (one.account ?? 'widgets') === 'widgets')
    return found ? mounted.world.id(`@${found.name}`) : 1
  }
  /** The id of a record of the collection at the beginning of the path, so that most paths exist. */
  const filled = (template: string): string => {
    const type = mounted.itsm.catalog.byPath.get(template.split('/')[1] ?? '')
    const ids = [type ? firstOf(type.name) : 1]
    return template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const values: Readonly<Record<string, string>> = {
        account_id: 'widgets',
        language: 'nl',
        name: 'request.status',
        token: 'x',
      }
      return values[name] ?? String(ids.shift() ?? 1)
    })
  }
  const tokenWith = async (limits: object): Promise<string> => {
    const { json } = await mounted.ask(
      null,
      'POST',
      '/me/tokens',
      { name: 'spec', ...limits },
      signIn as Record<string, string>,
    )
    return (json as { token: string }).token
  }
  const by = (token: string, { method, path }: Pick<Operation, 'method' | 'path'>, body?: object) =>
    mounted.ask(null, method, path, method === 'GET' || method === 'DELETE' ? undefined : (body ?? {}), {
      Authorization: `Bearer ${token}`,
    })
  const reads = () => operations.filter(({ method }) => method === 'GET')
  const writes = () => operations.filter(({ method }) => method !== 'GET')

  before('reads the document', async () => {
    await mounted.itsm.credentials.setPassword(mounted.world.id('@owen'), PASSWORD)
    const email = String(mounted.world.record('@owen').body['primary_email'])
    signIn = { Authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}` }
    const document = (await mounted.ask(null, 'GET', '/openapi.json')).json as { readonly paths: Record<string, object> }
    operations = Object.entries(document.paths).flatMap(([template, verbs]) =>
      Object.keys(verbs)
        .filter((verb) => ['get', 'post', 'patch', 'put', 'delete'].includes(verb))
        .map((verb) => ({ method: verb.toUpperCase(), template, path: filled(template) })),
    )
    expect(operations.length).to.be.above(400)
  })

  it('that changes anything is refused to a token that may only read, before its body is looked at', async () => {
    const token = await tokenWith({ read_only: true })
    const open: string[] = []
    for (const one of writes()) {
      const { status } = await by(token, one)
      if (status !== 403) open.push(`${one.method} ${one.template}: ${status}`)
    }
    expect(open).to.deep.equal([])
    for (const [method, path] of [
      ['PUT', '/requests/1'],
      ['POST', '/events?subject=x'],
    ] as const)
      expect((await by(token, { method, path })).status, path).to.equal(403)
  }).timeout(120_000)

  it('that only reads works with it as with the API token, apart from forms for uploads and the tokens', async () => {
    const token = await tokenWith({ read_only: true })
    const api = mounted.world.token('@owen')
    const different: string[] = []
    for (const one of reads()) {
      const [limited, full] = [await by(token, one), await by(api, one)]
      if (limited.status !== full.status) different.push(one.template)
    }
    expect(different).to.deep.equal(['/attachments/storage'])
  }).timeout(120_000)

  /** Paths that a token for changes opens, besides those that need no credentials. */
  const OF_CHANGES =
    /^\/(me|me\/permissions(\/types)?|catalog.*|people\/me|account|enums.*|openapi|sd|imports|notes(\/[a-z_]+)?|audit_lines(\/[a-z_]+)?|attachments\/storage|changes(\/[a-z_]+|\/\{\w+\}(\/(notes|audit)(\/[^/]+)?)?)?)?$/

  it('to other types is closed to a token for changes, for reading and for writing', async () => {
    const token = await tokenWith({ record_types: ['change'] })
    const api = mounted.world.token('@owen')
    const [opened, shut]: [string[], string[]] = [[], []]
    for (const one of reads()) {
      const { status } = await by(token, one)
      const isOpen = OF_CHANGES.test(one.template)
      if (!isOpen && status < 400) opened.push(`${one.template}: ${status}`)
      if (isOpen && one.template !== '/sd' && (await by(api, one)).status !== status) shut.push(`${one.template}: ${status}`)
    }
    expect({ opened, shut }).to.deep.equal({ opened: [], shut: [] })
    const written: string[] = []
    for (const one of writes()) {
      if (/^\/(changes(\/\{\w+\}(\/notes.*)?)?|attachments|import)$/.test(one.template)) continue
      const { status } = await by(token, one, { name: 'x', subject: 'x', roles: 'auditor', type: 'people' })
      if (![401, 403, 404].includes(status)) written.push(`${one.method} ${one.template}: ${status}`)
    }
    expect(written).to.deep.equal([])
  }).timeout(240_000)

  it('to collections of sub-records shows those of the permitted records only', async () => {
    const token = await tokenWith({ record_types: ['change'] })
    const change = mounted.world.id(`@${fixtures.world.records.find(({ type }) => type === 'change')?.name}`)
    await mounted.ask('@carl', 'POST', `/changes/${change}/notes`, { text: 'about the change' })
    await mounted.ask('@sam', 'POST', `/requests/${firstOf('request')}/notes`, { text: 'about the request' })
    for (const path of ['/notes?per_page=100', '/audit_lines?per_page=100']) {
      const shown = (await by(token, { method: 'GET', path })).json as readonly Record<
        string,
        { id: number; subject?: string }
      >[]
      const all = (await mounted.ask('@owen', 'GET', path)).json as readonly object[]
      expect(shown.length, path).to.be.within(1, all.length - 1)
      for (const one of shown) {
        const owners = ['request', 'task', 'problem', 'project', 'release'].filter((name) => one[name])
        expect([owners, Object.keys(one).includes('change') || path.includes('audit')], JSON.stringify(one)).to.deep.equal([
          [],
          true,
        ])
      }
    }
  })

  it('for an import takes files of the permitted types only', async () => {
    const token = await tokenWith({ record_types: ['site'] })
    const upload = (type: string) => {
      const parts = [`name="type"\r\n\r\n${type}`, `name="file"; filename="f.csv"\r\n\r\nName\nA site\n`]
      const body = Buffer.from(`${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`)
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'multipart/form-data; boundary=b' }
      return mounted.ask(null, 'POST', '/import', body, headers)
    }
    expect((await upload('people')).status).to.equal(403)
    const taken = await upload('sites')
    expect(taken.status).to.equal(200)
    const { token: ticket } = taken.json as { token: string }
    expect((await by(token, { method: 'GET', path: `/import/${ticket}` })).status).to.equal(200)
    const other = await tokenWith({ record_types: ['team'] })
    expect((await by(other, { method: 'GET', path: `/import/${ticket}` })).status).to.equal(403)
    expect((await by(await tokenWith({ read_only: true }), { method: 'GET', path: `/import/${ticket}` })).status).to.equal(200)
  })
})

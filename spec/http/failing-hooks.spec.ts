/** Writes whose hooks fail after the commit: what is done is answered as done. */
import { expect } from 'chai'
import type { ScopeHook } from '../../plugin/access/sight/ask-scope.js'
import type { Authorize } from '../../plugin/access/sight/decide.js'
import type { Call } from '../../plugin/core/call.js'
import { countStatements } from '../support/count-statements.js'
import { withMounted } from '../support/mounted.js'
import { silent } from '../support/settings.js'

interface Write {
  readonly name: string
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object | Buffer
  readonly headers?: Record<string, string>
  readonly status: number
  /** True if the answer is a record, which is only read after the commit. */
  readonly isRecord?: true
}

/** Each is new to the person once. */
const ROLES = ['', 'auditor', 'change_manager', 'problem_manager', 'release_manager', 'project_manager']

describe('a write', function () {
  this.timeout(60_000)
  let failing: 'authorize' | 'scope' | null = null
  let isWritten = false
  const logged: unknown[] = []
  /** Fails outside of transactions, as soon as something was written. */
  const mayFail = (hook: typeof failing, call: Call) => {
    if (failing === hook && isWritten && !call.transaction) throw new Error('the directory is down')
  }
  const authorize: Authorize = ({ call }, decide) => {
    mayFail('authorize', call)
    return decide()
  }
  const scope: ScopeHook = ({ call }, decide) => {
    mayFail('scope', call)
    return decide()
  }
  const log = { ...silent, error: (details: object) => void logged.push(details) }
  const mounted = withMounted('bare', { authorize, scope, log })
  const id = (name: string) => mounted.world.id(name)
  const password = () => {
    const { email, password } = mounted.world.signIn('@ines')
    return { Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` }
  }

  before(() => {
    countStatements(mounted.database.knex).onWrite(() => {
      isWritten = true
    })
  })
  beforeEach(() => {
    failing = null
    logged.length = 0
  })

  const form = (file: string, text: string, more = '') => ({
    body: Buffer.from(
      `${more}--x\r\nContent-Disposition: form-data; name="file"; filename="${file}"\r\n\r\n${text}\r\n--x--\r\n`,
    ),
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  })
  const part = (name: string, text: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  let count = 0
  const writes = (): Write[] => {
    count += 1
    const team = { name: `Team ${count}`, sourceID: `T${count}`, source: 'Spec' }
    return [
      { name: 'POST of a record', path: '/sites', body: { name: `Site ${count}` }, status: 201, isRecord: true },
      {
        ...{ name: 'POST with a key', path: '/sites', body: { name: `Keyed ${count}` }, status: 201, isRecord: true },
        headers: { 'Idempotency-Key': `key-${count}` },
      },
      { name: 'POST with a source ID', path: '/teams', body: team, status: 201, isRecord: true },
      {
        name: 'POST of a note',
        path: `/requests/${id('@praise')}/notes`,
        body: { text: `N ${count}` },
        status: 201,
        isRecord: true,
      },
      {
        ...{ name: 'POST of a part', path: `/people/${id('@ines')}/contacts`, status: 201, isRecord: true },
        body: { protocol: 'email', label: 'work', uri: `a${count}@b.example` },
      },
      { name: 'POST of an event', path: '/events', body: { subject: `Disk ${count} full` }, status: 201, isRecord: true },
      { name: 'PATCH', method: 'PATCH', path: `/sites/${id('@utrecht')}`, body: { city: `U ${count}` }, status: 200 },
      { name: 'POST of a link', path: `/teams/${id('@service-desk')}/members/${id('@carl')}`, status: 200 },
      { name: 'POST of roles', path: `/people/${id('@ines')}/permissions/widgets`, body: { roles: ROLES[count] }, status: 200 },
      { name: 'POST of a token', path: '/me/tokens', body: { name: `T ${count}` }, headers: password(), status: 201 },
      { name: 'POST of a new API token', path: '/me/reset_api_token', headers: password(), status: 200 },
      { name: 'POST of a file', path: '/attachments', ...form('a.txt', `text ${count}`), status: 200 },
      {
        ...{ name: 'POST of an import', path: '/import', status: 200 },
        ...form('a.csv', `Name\r\nSite of a file ${count}`, part('type', 'sites')),
      },
      { name: 'DELETE of a link', method: 'DELETE', path: `/teams/${id('@service-desk')}/members/${id('@carl')}`, status: 204 },
    ]
  }
  const send = ({ method = 'POST', path, body, headers = {} }: Write) => {
    isWritten = false
    return mounted.ask('Authorization' in headers ? null : '@owen', method, path, body, headers)
  }

  for (const hook of ['authorize', 'scope'] as const) {
    it(`is answered as done when ${hook} fails after its commit, with the id alone of what cannot be read`, async () => {
      for (const write of writes()) {
        failing = hook
        logged.length = 0
        const { status, json, headers } = await send(write)
        failing = null
        expect([write.name, status, isWritten]).to.deep.equal([write.name, write.status, true])
        if (!write.isRecord) continue
        const told = json as { id: number }
        if (logged.length === 0) continue
        expect(Object.keys(told), write.name).to.deep.equal(['id'])
        expect(logged, write.name).to.have.length(1)
        expect(String((logged[0] as { err: unknown }).err))
          .to.contain(`${hook} for`)
          .and.to.contain('the directory is down')
        if (write.name === 'POST of a record') {
          expect(headers['location']).to.match(new RegExp(`/sites/${told.id}$`))
          expect((await mounted.ask('@owen', 'GET', `/sites/${told.id}`)).json).to.include(write.body as object)
        }
      }
    })

    it(`is done once for its key and its source ID although ${hook} failed after the first time`, async () => {
      for (const write of writes().filter(({ name }) => name.startsWith('POST with'))) {
        failing = hook
        const first = (await send(write)).json as { id: number }
        failing = null
        expect(logged.length, write.name).to.be.greaterThan(0)
        const again = await send(write)
        expect([again.status, again.headers['idempotent-replayed']]).to.deep.equal([201, 'true'])
        expect(again.json).to.include({ id: first.id, ...write.body })
      }
    })
  }

  it('shows a new API token even if nothing else can be shown, and the old one is gone', async () => {
    failing = 'authorize'
    const { json } = await send({ name: '', path: '/me/reset_api_token', headers: password(), status: 200 })
    failing = null
    const { api_token = '', ...rest } = json as { api_token?: string; id: number; account: object }
    expect(rest).to.deep.equal({ id: id('@ines'), account: { id: 'widgets', name: 'Widget Corporation' } })
    const bearer = { Authorization: `Bearer ${api_token}` }
    expect((await mounted.ask(null, 'GET', '/me', undefined, bearer)).json).to.include({ id: id('@ines') })
  })
})

import { expect } from 'chai'
import { type Mounted, withMounted } from '../support/mounted.js'
import { type OpenapiDocument, operationsOf } from '../support/openapi.js'

/** Paths that need no credentials, and respond to callers with credentials as to all others. */
const WITHOUT_ACCOUNT = /^\/(attachments|pictures)\/\{account\}|^\/imports\//

/** Each verb of each path of the document, with an id in place of each parameter. */
async function everyOperation({ ask }: Mounted): Promise<readonly (readonly [method: string, path: string])[]> {
  const document = (await ask(null, 'GET', '/openapi.json')).json as OpenapiDocument
  return Object.keys(document.paths)
    .filter((path) => !WITHOUT_ACCOUNT.test(path))
    .flatMap((path) =>
      Object.keys(operationsOf(document, path)).map((verb) => [verb.toUpperCase(), path.replace(/\{(\w+)\}/g, '1')] as const),
    )
}

describe('the account header', () => {
  const mounted = withMounted('bare')
  const forbidden = { status: 403, json: { message: 'Forbidden' } }
  const send = async (as: string, method: string, path: string, account: string) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    const { status, json } = await mounted.ask(as, method, path, body, { 'X-SVC-Account': account })
    return { status, json }
  }

  before(async () => {
    await mounted.itsm.accounts.put({ id: 'branch', name: 'Branch', directoryAccountId: 'widgets' })
    await mounted.itsm.accounts.trust('widgets', 'branch')
  })

  it('with an unknown account is forbidden at every path of the interface', async function () {
    this.timeout(60_000)
    const operations = await everyOperation(mounted)
    expect(operations.length).to.be.greaterThan(500)
    const others: typeof operations = [
      ...['/', '/requests/open', '/requests/new', '/requests/1/notes/new', '/people/all_with_roles?roles=auditor'].map(
        (path) => ['GET', path] as const,
      ),
      ['PUT', '/requests/1'],
    ]
    for (const [method, path] of [...operations, ...others]) {
      expect(await send('owen', method, path, 'atlantis'), `${method} ${path}`).to.deep.equal(forbidden)
    }
  })

  it('with an account in which the caller has no role is forbidden, trusted or not', async () => {
    const paths = ['/requests', '/me', '/people/me', '/account', '/enums', '/openapi', '/', '/sd?telephone=12345', '/import/x']
    for (const path of paths) {
      for (const [as, account] of [
        ['owen', 'partner'],
        ['owen', 'stranger'],
        ['owen', 'branch'],
        ['paula', 'widgets'],
        ['stan', 'widgets'],
      ] as const) {
        expect(await send(as, 'GET', path, account), `${as} in ${account}: ${path}`).to.deep.equal(forbidden)
      }
    }
    expect(await send('owen', 'POST', '/me/reset_api_token', 'partner')).to.deep.equal(forbidden)
  })

  it('with anything but the exact id of one account is forbidden; an empty one is not the same as none', async () => {
    const wrong = [
      '',
      ' ',
      'Widgets',
      'WIDGETS',
      'widgets, widgets',
      'widgets,partner',
      'w\u00eddgets',
      'widgets\u00ad',
      '*',
      '1',
    ]
    for (const account of [
      ...wrong,
      '__proto__',
      'constructor',
      "widgets' --",
      'widgets%00',
      'https://widgets',
      'x'.repeat(6_000),
    ]) {
      for (const path of ['/sites', '/me']) {
        expect(await send('pat', 'GET', path, account), account.slice(0, 20)).to.deep.equal(forbidden)
      }
    }
  })

  it('may have blanks around the id, and any case in its name', async () => {
    for (const headers of [{ 'X-SVC-Account': ' widgets\t' }, { 'x-svc-account': 'widgets' }, { 'X-Svc-Account': 'widgets' }]) {
      const { status, json } = await mounted.ask('pat', 'GET', '/account', undefined, headers)
      expect([status, (json as { id: string }).id]).to.deep.equal([200, 'widgets'])
    }
  })

  it('selects the account of every list: no record of the own one is among them', async function () {
    this.timeout(60_000)
    await mounted.itsm.grant(mounted.world.id('pat'), 'widgets', ['account_administrator', 'auditor', 'specialist'])
    const lists = (await everyOperation(mounted)).filter(([method, path]) => method === 'GET' && !/\/1(\/|$)/.test(path))
    let records = 0
    for (const [, path] of lists) {
      const { json } = await send('pat', 'GET', path, 'widgets')
      if (!Array.isArray(json)) continue
      for (const one of json as readonly { id: unknown; account?: { id: string } }[]) {
        if (typeof one.id !== 'number') continue
        records += 1
        // A list of records of the accounts that widgets trusts, which is where the caller is at home.
        if (path === '/organizations/trusted') continue
        expect(one.account?.id, `${path} ${one.id}`).to.equal('widgets')
      }
    }
    expect(records).to.be.greaterThan(100)
  })

  it('does not change who the caller is', async () => {
    const { json } = await mounted.ask('pat', 'GET', '/me', undefined, { 'X-SVC-Account': 'widgets' })
    expect(json).to.deep.include({ name: 'Pat Murphy', account: { id: 'partner', name: 'Partner Services' } })
  })

  it('is of no concern to callers without credentials', async () => {
    const { status, text } = await mounted.ask(null, 'GET', '/', undefined, { 'X-SVC-Account': 'atlantis' })
    expect([status, text]).to.deep.equal([200, '{}'])
    expect((await mounted.ask(null, 'GET', '/sites', undefined, { 'X-SVC-Account': 'atlantis' })).status).to.equal(401)
  })
})

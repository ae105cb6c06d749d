import { expect } from 'chai'
import { withMounted } from '../../support/mounted.js'
import { type OpenapiDocument, operationsOf, resolved, responseOf } from '../../support/openapi.js'

const PER_PAGE = 'x-pagination-per-page'
const HEADERS = ['x-pagination-current-page', PER_PAGE, 'x-pagination-total-pages', 'x-pagination-total-entries']

describe('every list', () => {
  const mounted = withMounted()
  let lists: readonly string[] = []

  before(async () => {
    const document = (await mounted.ask(null, 'GET', '/openapi.json')).json as OpenapiDocument
    const described = Object.keys(document.paths).filter((path) => {
      const answer = responseOf(document, path, 'get', 200)
      const schema = answer?.content?.['application/json']?.schema as { readonly type?: string } | undefined
      if (schema?.type === 'array') expect(answer?.headers, path).to.include.keys('X-Pagination-Total-Entries')
      return schema?.type === 'array'
    })
    // Predefined lists have paths of their own, which the parameter `state` names.
    lists = described.flatMap((path) => {
      const parameters = operationsOf(document, path)['get']?.parameters ?? []
      const known = parameters.map((one) => resolved(document, one).value)
      const states = known.find(({ name }) => name === 'state')?.schema?.enum ?? []
      return [path, ...states.map((state) => `${path}/${state}`)]
    })
  })

  /** Paths with the id of a record that there is: `/teams/4/members`. Those below types without records are left out. */
  async function realPaths(): Promise<readonly string[]> {
    const ids = new Map<string, number | undefined>()
    for (const path of lists.filter((one) => !one.includes('{'))) {
      const { json } = await mounted.ask('@owen', 'GET', `${path}?per_page=1`)
      if (path.split('/').length === 2 && Array.isArray(json)) ids.set(path, (json[0] as { id?: number } | undefined)?.id)
    }
    return lists.flatMap((path) => {
      const id = ids.get(`/${path.split('/')[1]}`)
      if (!path.includes('{')) return [path]
      return id === undefined ? [] : [path.replace('{id}', String(id))]
    })
  }

  const withPassword = ({ email, password }: { readonly email: string; readonly password: string }) => ({
    Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
  })

  it('says which page it is, how large, and of how many', async function () {
    this.timeout(120_000)
    const paths = await realPaths()
    expect(paths.length).to.be.above(200)
    expect(paths.filter((path) => path.endsWith('/permissions'))).to.have.length(1)
    expect(paths).to.include('/sd')
    const wrong: string[] = []
    for (const path of paths) {
      const [as, query] = path === '/sd' ? ['@dana', '?telephone=12345678&per_page=7'] : ['@owen', '?per_page=7']
      // Tokens do not show which tokens there are.
      const asked = path === '/me/tokens' ? ([null, withPassword(mounted.world.signIn('@ines'))] as const) : ([as, {}] as const)
      const { status, headers, json } = await mounted.ask(asked[0], 'GET', `${path}${query}`, undefined, asked[1])
      const isRight = status === 200 && Array.isArray(json) && HEADERS.every((name) => /^\d+$/.test(String(headers[name])))
      if (!isRight || headers[PER_PAGE] !== '7') wrong.push(`${status} ${path}`)
    }
    expect(wrong).to.deep.equal([])
  })

  it('that comes as a whole is paged like the others', async () => {
    const eva = mounted.world.id('eva')
    await mounted.ask('@owen', 'POST', `/people/${eva}/permissions/widgets?roles=auditor,specialist`)
    const all = `/people/${eva}/permissions`
    const first = await mounted.ask('@owen', 'GET', `${all}?per_page=1`)
    const total = Number(first.headers['x-pagination-total-entries'])
    expect(first.json).to.have.length(1)
    const last = await mounted.ask('@owen', 'GET', `${all}?per_page=1&page=${total}`)
    expect([(last.json as object[]).length, last.headers['x-pagination-current-page']]).to.deep.equal([1, String(total)])
    expect(String(last.headers['link'] ?? '')).to.not.include('rel="next"')
    if (total > 1) expect(first.headers['link']).to.include(`<${mounted.baseUrl}${all}?page=2&per_page=1>; rel="next"`)
    const past = await mounted.ask('@owen', 'GET', `${all}?page=9`)
    expect([past.status, past.json, past.headers['x-pagination-current-page']]).to.deep.equal([200, [], '9'])
    for (const query of ['page=0', 'per_page=0', 'per_page=101', 'page=x'])
      expect((await mounted.ask('@owen', 'GET', `${all}?${query}`)).status, query).to.equal(400)
  })
})

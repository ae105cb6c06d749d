import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

async function headersOf(path: string, total: number) {
  const { deps } = stubs({}, { total })
  return (await serving(createApp(deps), ({ send }) => send(path, { headers: TOKEN }))).headers
}

/** Relations of a Link header with their page numbers. */
function relations(link: unknown) {
  const found = [...String(link).matchAll(/[?&]page=(\d+)[^>]*>; rel="(\w+)"/g)]
  return Object.fromEntries(found.map(([, page, relation]) => [relation, Number(page)]))
}

describe('http/page-headers: paging', () => {
  it('describes the page of every collection, also of empty ones', async () => {
    const headers = await headersOf('/v1/requests', 0)
    expect(headers).to.include({
      'x-pagination-current-page': '1',
      'x-pagination-per-page': '20',
      'x-pagination-total-pages': '0',
      'x-pagination-total-entries': '0',
    })
    expect(headers).to.not.have.any.keys('link', 'x-pagination-throttled')
  })

  it('says nothing about pages of single records', async () => {
    expect(await headersOf('/v1/requests/1', 1)).to.not.have.any.keys('x-pagination-total-entries', 'link')
  })

  it('says when a collection was cut', async () => {
    expect(await headersOf('/v1/requests', 100_000)).to.have.property('x-pagination-throttled', 'true')
  })

  it('has no links when there is only one page', async () => {
    expect(await headersOf('/v1/requests', 20)).to.not.have.property('link')
  })

  it('links forwards on the first page, both ways between, backwards on the last', async () => {
    const link = async (page: number) => relations((await headersOf(`/v1/requests?page=${page}`, 45)).link)
    expect(await link(1)).to.deep.equal({ first: 1, next: 2, last: 3 })
    expect(await link(2)).to.deep.equal({ first: 1, prev: 1, next: 3, last: 3 })
    expect(await link(3)).to.deep.equal({ first: 1, prev: 2, last: 3 })
  })

  it('leads back from a page past the end', async () => {
    expect(relations((await headersOf('/v1/requests?page=9', 45)).link)).to.deep.equal({ first: 1, prev: 3, last: 3 })
  })

  it('repeats the path and the parameters of the call, without page, callback and token', async () => {
    const path = '/v1/requests/open.json?page=1&per_page=10&subject=a%2Cb%3Bc%3E%22&id!=15&api_token=TOKEN&sort=-id'
    const { link } = await headersOf(path, 45)
    const expected = 'https://desk.example/v1/requests/open?subject=a%2Cb%3Bc%3E%22&id!=15&sort=-id&page=2&per_page=10'
    expect(String(link).split(', ')[1]).to.equal(`<${expected}>; rel="next"`)
  })

  it('leaves no character in the addresses on which clients split, and no line break', async () => {
    const { link } = await headersOf('/v1/requests?x=a%0d%0aSet-Cookie:%20y=1;,<>%E2%82%AC', 45)
    const links = String(link).split(/[,;]/)
    expect(links).to.have.length(6)
    expect(String(link)).to.match(/^[\x20-\x7e]+$/)
    expect(String(link)).to.include('x=a%0D%0ASet-Cookie%3A%20y%3D1%3B%2C%3C%3E%E2%82%AC&')
  })

  describe('with long parameters', () => {
    /** A query that makes the links so long, in characters, that only some of them fit into 4,096. */
    const query = (length: number) => `/v1/requests?page=2&subject=${'x'.repeat(length)}`

    it('has a Link header of at most 4 KB, which leads on as long as possible', async () => {
      for (const [length, expected] of [
        [900, ['first', 'prev', 'next', 'last']],
        [1_000, ['first', 'prev', 'next']],
        [1_500, ['first', 'next']],
        [3_000, ['next']],
        [4_000, ['next']],
      ] as const) {
        const { link } = await headersOf(query(length), 90)
        expect(Object.keys(relations(link)), String(length)).to.deep.equal(expected)
        expect(String(link).length).to.be.at.most(4_096)
      }
    })

    it('is refused when the next page would have no address', async () => {
      const { deps } = stubs({}, { total: 90 })
      await serving(createApp(deps), async ({ send }) => {
        const { status, json, headers } = await send(query(4_100), { headers: TOKEN })
        expect([status, json]).to.deep.equal([
          400,
          {
            message:
              "The address of the next page would have 4174 characters (maximum is 4096); shorten the parameters or raise 'per_page'",
          },
        ])
        expect(headers).to.not.have.property('link')
      })
    })

    it('is answered without links when nothing follows', async () => {
      for (const [total, page] of [
        [20, 1],
        [40, 2],
      ]) {
        const headers = await headersOf(query(6_000).replace('page=2', `page=${page}`), Number(total))
        expect(headers).to.include({ 'x-pagination-total-entries': String(total) })
        expect(headers).to.not.have.property('link')
      }
    })
  })
})

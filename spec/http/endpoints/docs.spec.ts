/** `GET /docs`: off unless a host asks for it; pages that run nothing but their own script, and lead only to pages that there are. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withMounted } from '../../support/mounted.js'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

describe('GET /docs without the option', () => {
  const mounted = withMounted()

  it('is 404, and not in the OpenAPI document', async () => {
    for (const path of ['/docs', '/docs/guides/tests', '/docs/api-reference'])
      expect((await mounted.ask('ines', 'GET', path)).status).to.equal(404)
    const { json } = await mounted.ask(null, 'GET', '/openapi.json')
    expect(Object.keys((json as { paths: object }).paths).filter((path) => path.startsWith('/docs'))).to.deep.equal([])
  })
})

describe('GET /docs', () => {
  const mounted = withMounted('mounted under a prefix', { docs: true, headerPrefixes: ['X-Desk-', 'X-SVC-'] })
  const page = async (path: string, headers: Record<string, string> = {}) => {
    return mounted.ask(null, 'GET', path, undefined, { Accept: 'text/html,application/xhtml+xml;q=0.9', ...headers })
  }
  const linksIn = (html: string) =>
    [...html.matchAll(/(?:href|src|data-index|data-document)="([^"]+)"/g)].map(([, url = '']) => url)
  const below = (url: string) => url.replace(new URL(mounted.baseUrl).pathname, '')

  it('is the README as a page, for browsers without credentials', async () => {
    const { headers, status, text } = await page('/docs')
    expect([status, headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8'])
    expect(text)
      .to.match(/^<!DOCTYPE html>\n<html lang="en">/)
      .and.to.contain('<h1 id="koa-itsm">')
      .and.not.to.contain('.png')
      .and.not.to.contain('The list of requests')
    expect(headers['content-security-policy']).to.equal(POLICY)
    expect(headers['x-content-type-options']).to.equal('nosniff')
    expect(headers['vary']).to.equal('Accept-Encoding')
    expect((await page('/docs/')).text).to.equal(text)
  })

  it('counts for the address, and is tagged and compressed like any text', async () => {
    const plain = await page('/docs')
    expect(Number(plain.headers['x-ratelimit-remaining'])).to.be.above(0)
    const [one, other] = [
      await page('/docs', { 'Accept-Encoding': 'gzip' }),
      await page('/docs', { 'Accept-Encoding': 'gzip' }),
    ]
    for (const { headers } of [one, other]) expect(headers['content-encoding']).to.equal('gzip')
    expect(one.headers['etag']).to.equal(plain.headers['etag'])
    expect((await page('/docs/changelog')).headers['etag']).to.not.equal(plain.headers['etag'])
    expect((await page('/docs', { 'If-None-Match': String(plain.headers['etag']) })).status).to.equal(304)
  })

  it('has no code and no styles within pages, and nothing of other servers', async () => {
    for (const path of ['/docs', '/docs/guides/own-type', '/docs/api-reference']) {
      const { text } = await page(path)
      expect(text).not.to.match(
        / style=| on[a-z]+="|<style|<script(?! src="\/desk\/api\/v1\/docs\/page-[0-9a-f]{16}\.js" defer><\/script>)/,
      )
      expect(text).not.to.match(/(?:src|data-[a-z]+)="(?!\/desk\/api\/v1\/|ts"|sh"|json")[^"]*\//)
    }
  })

  it('leads to pages and anchors that there are, all of them', async () => {
    const seen = new Map<string, string>()
    const queue = ['/docs']
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path)) continue
      const { status, text } = await page(path)
      expect(status, path).to.equal(200)
      seen.set(path, text)
      if (!text.startsWith('<!DOCTYPE')) continue
      queue.push(
        ...linksIn(text)
          .filter((url) => url.startsWith('/'))
          .map((url) => below(url).split('#')[0] ?? ''),
      )
    }
    expect([...seen.keys()]).to.include.members([
      '/docs/guides/upgrading',
      '/docs/reference/rules',
      '/docs/changelog',
      '/openapi.json',
    ])
    const broken = [...seen].flatMap(([path, text]) =>
      linksIn(text)
        .filter((url) => /^[/#].*#|^#/.test(url))
        .filter((url) => {
          const [target = '', anchor = ''] = url.split('#')
          return !seen.get(target === '' ? path : below(target))?.includes(`id="${anchor}"`)
        })
        .map((url) => `${path}: ${url}`),
    )
    expect(broken.filter((text) => !text.includes('#content'))).to.deep.equal([])
  })

  it('asks for the API in the language of the reader, by the header of the host', async () => {
    expect((await page('/docs/api-reference')).text).to.contain(' data-language-header="X-Desk-Language"')
  })

  it('tags pages, and lets browsers keep files whose names change with their content', async () => {
    const { headers, text } = await page('/docs/guides/tests')
    expect(headers['cache-control']).to.equal('max-age=0, private, must-revalidate')
    expect((await page('/docs/guides/tests', { 'If-None-Match': String(headers['etag']) })).status).to.equal(304)
    const files = linksIn(text).filter((url) => /-[0-9a-f]{16}\.(js|css|json)$/.test(url))
    expect(files).to.have.length(3)
    const types = await Promise.all(
      files.map(async (url) => {
        const file = await mounted.ask(null, 'GET', below(url), undefined, { Accept: '*/*' })
        expect(file.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
        expect(file.headers['etag']).to.match(/^W\//)
        return file.headers['content-type']
      }),
    )
    expect(types.sort()).to.deep.equal([
      'application/json; charset=utf-8',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
    ])
  })

  it('has an index with the text of each section', async () => {
    const url = linksIn((await page('/docs')).text).find((one) => one.includes('search-')) ?? ''
    const sections = (await mounted.ask(null, 'GET', below(url))).json as readonly Record<string, string>[]
    const found = sections.filter(({ heading }) => heading === 'Two processes')
    expect(found).to.have.length(1)
    expect(found[0]?.['url']).to.equal('/desk/api/v1/docs/guides/operating#two-processes')
    expect(found[0]?.['text']).to.contain('MongoClient')
    expect(sections.some(({ url: of = '' }) => of.includes('/adr/'))).to.equal(false)
  })

  it('is 404 for everything else, whatever it is called', async () => {
    const paths = [
      '/docs/none',
      '/docs/guides',
      '/docs/guides/none',
      '/docs/guides/tests/1',
      '/docs/page.js',
      '/docs/..%2f..%2fpackage',
    ]
    const hostile = [
      '/docs/guides/..%2ftests',
      '/docs/__proto__',
      '/docs/constructor',
      '/docs/%00',
      '/docs/README',
      '/docs/docs.html',
    ]
    for (const path of [...paths, ...hostile]) expect((await mounted.ask('ines', 'GET', path)).status, path).to.equal(404)
  })

  it('can only be read', async () => {
    expect((await mounted.ask('ines', 'POST', '/docs', {})).status).to.equal(404)
    expect((await mounted.ask('ines', 'DELETE', '/docs/api')).status).to.equal(404)
  })

  it('is in the OpenAPI document', async () => {
    const { json } = await mounted.ask(null, 'GET', '/openapi.json')
    expect((json as { paths: object }).paths).to.include.keys('/docs', '/docs/{page}', '/docs/{folder}/{page}')
  })
})

/** How the console is served: off unless a host asks for it, beside the API, with nothing in it that runs or that is secret. */
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { createPlugin } from '../../plugin/index.js'
import { createSender } from '../../plugin/testing/send.js'
import { consoleTexts } from '../../plugin/words/console/en.js'
import { withMounted } from '../support/mounted.js'
import { silent, TEST_SECRET } from '../support/settings.js'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/** Gets a path of the host beside `/v1`. */
function asking(mounted: ReturnType<typeof withMounted>) {
  const sender = createSender()
  after('closes its connections', () => sender.close())
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    sender.send(mounted.baseUrl.replace(/\/v1$/, path), method, { 'User-Agent': 'specs', ...headers }, null)
}

describe('the console without the option', () => {
  const mounted = withMounted()
  const ask = asking(mounted)

  it('is not there: its paths are those of the host', async () => {
    for (const path of ['/console', '/console/requests', '/console/assets/main.js'])
      expect((await ask(path)).status).to.equal(404)
  })
})

describe('the console', () => {
  const mounted = withMounted('mounted under a prefix', {
    console: { brand: { name: 'Desk "A" & <B>', color: '#123456', logo: '/logo.svg' } },
    headerPrefixes: ['X-Desk-', 'X-SVC-'],
    words: { nl: { console: { sign_in: 'Inloggen' } }, es: { console: { sign_in: 'Entrar' } } },
  })
  const ask = asking(mounted)
  const page = async () => (await ask('/console')).text
  const settingsIn = (html: string) => {
    const [, content = ''] = /<meta name="settings" content="([^"]*)">/.exec(html) ?? []
    return JSON.parse(
      content.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    )
  }
  const urlsIn = (html: string) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => url)

  it('is one page at every path below it, for everybody, and never kept without asking', async () => {
    const { headers, status, text } = await ask('/console')
    expect([status, headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).to.equal(POLICY)
    expect(headers['cache-control']).to.equal('private, no-cache')
    expect(headers['x-content-type-options']).to.equal('nosniff')
    expect(headers['referrer-policy']).to.equal('no-referrer')
    expect(headers['cross-origin-opener-policy']).to.equal('same-origin')
    for (const path of ['/console/', '/console/requests/7', '/console/a%00b/../c?x=<script>']) {
      const other = await ask(path)
      expect([other.status, other.text], path).to.deep.equal([200, text])
    }
    const again = await ask('/console', { 'If-None-Match': String(headers['etag']) })
    expect([again.status, again.text]).to.deep.equal([304, ''])
  })

  it('answers HEAD, and refuses what does more than read', async () => {
    const head = await ask('/console', {}, 'HEAD')
    expect([head.status, head.text]).to.deep.equal([200, ''])
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await ask('/console', {}, method)).status, method).to.equal(404)
  })

  it('has no code and no styles within the page, and nothing of other servers', async () => {
    const html = await page()
    expect(html).not.to.match(/ style=| on[a-z]+="|<style|<script(?! type="module" src="\/desk\/api\/console\/assets\/main-)/)
    expect(urlsIn(html)).to.have.lengthOf(3)
    for (const url of urlsIn(html)) expect(url).to.match(/^\/desk\/api\/console\/assets\/[a-z]+-[0-9A-Z]{8}\.(css|js|svg)$/)
  })

  it('tells its script where the API is, how people sign in, and what the host calls the desk', async () => {
    const html = await page()
    const { languages, ...settings } = settingsIn(html)
    expect(settings).to.deep.equal({
      api: '/desk/api/v1',
      home: '/desk/api/console',
      prefix: 'X-Desk-',
      brand: { name: 'Desk "A" & <B>', logo: '/logo.svg', color: '#123456' },
      signIn: { password: true, host: false },
      pages: [],
      oauth: false,
    })
    expect(html).to.contain('<title>Desk &quot;A&quot; &amp; &lt;B&gt;</title>')
    expect(languages.map(({ id, label }: { id: string; label: string }) => [id, label])).to.deep.equal([
      ['en', 'English'],
      ['nl', 'Nederlands'],
      ['de', 'Deutsch'],
      ['fr', 'Français'],
      ['es', 'Español'],
    ])
  })

  it('has the texts of each language, those of the host before those of the plugin, and English for what is missing', async () => {
    const { languages } = settingsIn(await page())
    const textsOf = async (language: string) => {
      const { texts } = languages.find(({ id }: { id: string }) => id === language)
      return JSON.parse((await ask(String(texts).replace('/desk/api', ''))).text)
    }
    const [en, nl, es] = await Promise.all(['en', 'nl', 'es'].map(textsOf))
    expect(en).to.deep.equal(consoleTexts)
    expect([nl.sign_in, nl.sign_out]).to.deep.equal(['Inloggen', 'Afmelden'])
    expect([es.sign_in, es.sign_out]).to.deep.equal(['Entrar', 'Sign out'])
  })

  it('keeps its files for a year, in the shortest form that the client takes', async () => {
    const script =
      urlsIn(await page())
        .find((url) => url.endsWith('.js'))
        ?.replace('/desk/api', '') ?? ''
    const plain = await ask(script)
    expect(plain.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).to.equal('text/javascript; charset=utf-8')
    expect(plain.headers['vary']).to.equal('Accept-Encoding')
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['identity', null],
      ['br;q=0, gzip;q=0', null],
    ] as const) {
      const response = await fetch(mounted.baseUrl.replace(/\/v1$/, script), { headers: { 'Accept-Encoding': accepted } })
      expect(response.headers.get('content-encoding'), accepted).to.equal(encoding)
      // `fetch` has opened what it got.
      expect(await response.text()).to.equal(plain.text)
    }
  })

  it('has no other files, whatever their name', async () => {
    for (const name of ['main.js', '..%2f..%2fpackage.json', '%2e%2e/package.json', 'constructor', '', 'texts-en.json', 'a/b'])
      expect((await ask(`/console/assets/${name}`)).text, name).not.to.contain('koa-itsm"')
    expect((await ask('/console/assets/main.js')).status).to.equal(404)
  })

  it('leaves other paths to the API and to the host', async () => {
    expect((await ask('/consoles')).status).to.equal(404)
    expect((await ask('/consoles')).headers['content-security-policy']).to.equal(undefined)
    expect((await ask('/v1/')).text).to.equal('{}')
  })
})

describe('the console of a host that signs people in itself', () => {
  const mounted = withMounted('mounted under a prefix', {
    console: true,
    people: { signedIn: async (ctx) => (ctx.get('X-Host') === '' ? null : { email: ctx.get('X-Host') }) },
  })
  const ask = asking(mounted)

  it('asks for no password, and has no sessions of its own', async () => {
    const [, content = ''] = /<meta name="settings" content="([^"]*)">/.exec((await ask('/console')).text) ?? []
    expect(JSON.parse(content.replaceAll('&quot;', '"')).signIn).to.deep.equal({ password: false, host: true })
    expect((await mounted.ask('owen', 'POST', '/session', {}, { 'X-SVC-Session': '1' })).status).to.equal(404)
  })

  it('gets 401 without a challenge, so that the browser shows no dialog of its own', async () => {
    const answer = await mounted.ask(null, 'GET', '/me', undefined, { 'X-SVC-Session': '1' })
    expect([answer.status, answer.headers['www-authenticate']]).to.deep.equal([401, undefined])
    const known = await mounted.ask(null, 'GET', '/me', undefined, {
      'X-SVC-Session': '1',
      'X-Host': mounted.world.signIn('eva').email,
    })
    expect([known.status, (known.json as { name: string }).name]).to.deep.equal([200, 'Eva Nováková'])
  })
})

describe('the console without HTTPS', () => {
  const mounted = withMounted('mounted under a prefix', {
    allowInsecure: false,
    baseUrl: 'https://desk.example/desk/api/v1',
    console: true,
  })

  it('is refused, as calls are', async () => {
    const address = new URL(mounted.baseUrl)
    const response = await fetch(`http://127.0.0.1:${address.port}/desk/api/console`)
    expect([response.status, await response.text()]).to.deep.equal([403, 'Only HTTPS is supported\n'])
  })
})

describe('the options of the console', () => {
  const options = { baseUrl: 'https://desk.example/v1', secret: TEST_SECRET, database: { url: 'sqlite::memory:' }, log: silent }
  const refused = (more: object) => {
    try {
      createPlugin({ ...options, ...more })
    } catch (error) {
      return String((error as Error).message)
    }
    return 'accepted'
  }

  it('are a switch, or say how it looks', async () => {
    expect(refused({ console: true })).to.equal('accepted')
    expect(refused({ console: false })).to.equal('accepted')
    expect(refused({ console: { brand: { name: 'Helpdesk', color: '#1b4f8a' } } })).to.equal('accepted')
    expect(refused({ console: 'yes' })).to.contain('console: must be a boolean or group')
    expect(refused({ console: { brands: {} } })).to.contain('console.brands: there is no such option')
  })

  it('are refused if people could not read the name, or if they are no origins and pictures', () => {
    expect(refused({ console: { brand: { color: '#ffd400' } } })).to.contain(
      'console.brand.color: is too light for white texts (contrast 1.4',
    )
    expect(refused({ console: { brand: { color: 'red' } } })).to.contain(
      "console.brand.color: must be a color such as '#1b4f8a'",
    )
    expect(refused({ console: { brand: { logo: 'https://cdn.example/logo.png' } } })).to.contain(
      'console.brand.logo: must be a path',
    )
    expect(refused({ console: { brand: { name: '' } } })).to.contain('console.brand.name: must be 1 to 60 characters')
    expect(refused({ console: { frameAncestors: ['https://portal.example/', '*'] } })).to.contain(
      'console.frameAncestors: must be origins',
    )
  })

  it('name texts that the console has', () => {
    expect(refused({ words: { nl: { console: { sign_inn: 'Inloggen' } } } })).to.contain(
      'words.nl.console.sign_inn: the console has no such text',
    )
    expect(refused({ words: { nl: { console: { hello: 'Dag {nam}' } } } })).to.contain(
      'words.nl.console.hello: there is no value for {nam}',
    )
  })
})

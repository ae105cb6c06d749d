import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

async function get(path: string, headers: Record<string, string> = {}) {
  return serving(createApp(stubs().parts), ({ send }) => send(path, { headers }))
}

const STATUS = {
  'request.status': [
    { id: 'open', txt: 'en-US request.status open', code: 1 },
    { id: 'completed', txt: 'en-US request.status completed', code: 2 },
  ],
}

describe('http/endpoints/enums', () => {
  it('lists all enumerations without credentials', async () => {
    const { status, json } = await get('/v1/enums')
    expect(status).to.equal(200)
    expect(json).to.include.all.keys('request.status', 'language', 'time_zone')
    expect(json).to.deep.include(STATUS)
    expect(json).to.deep.include({ time_zone: [{ id: 'UTC', txt: 'en-US time_zone UTC' }] })
  })

  it('speaks the language of the header or of the path', async () => {
    const fr = [{ id: 'UTC', txt: 'fr time_zone UTC' }]
    expect((await get('/v1/enums.json', { ...TOKEN, 'X-SVC-Language': 'fr' })).json).to.deep.include({ time_zone: fr })
    expect((await get('/v1/enums/fr')).json).to.deep.include({ time_zone: fr })
    expect((await get('/v1/enums/fr/time_zone')).json).to.deep.equal({ time_zone: fr })
    expect((await get('/v1/enums/xx')).status).to.equal(404)
    expect((await get('/v1/enums/xx/time_zone')).status).to.equal(404)
  })

  it('gives a single enumeration', async () => {
    expect((await get('/v1/enums/request.status')).json).to.deep.equal(STATUS)
    expect((await get('/v1/enums/request.status.json')).json).to.deep.equal(STATUS)
    expect((await get('/v1/enums/request.nothing')).status).to.equal(404)
    expect((await get('/v1/enums/constructor')).status).to.equal(404)
  })

  it('writes CSV and HTML', async () => {
    const csv = await get('/v1/enums/fr.csv')
    expect(csv.headers['content-type']).to.equal('text/csv; charset=utf-8')
    expect(csv.text).to.match(/^Enumeration,ID,Text\r\n/)
    expect(csv.text).to.include('request.status,open,fr request.status open\r\n')
    const html = await get('/v1/enums.html', { Accept: 'text/html' })
    expect(html.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(html.text).to.include('<td>open</td><td>en-US request.status open</td>')
  })

  it('quotes and escapes texts', async () => {
    const words = { sentence: () => '', fieldLabel: () => '', valueLabel: () => 'a "b", <c> & d' }
    await serving(createApp(stubs({ words }).parts), async ({ send }) => {
      expect((await send('/v1/enums/time_zone.csv')).text).to.include('time_zone,UTC,"a ""b"", <c> & d"\r\n')
      expect((await send('/v1/enums/time_zone.html')).text).to.include('<td>a &quot;b&quot;, &lt;c&gt; &amp; d</td>')
    })
  })

  it('does not wrap what is no JSON in a callback', async () => {
    const { text } = await get('/v1/enums.csv?callback=show')
    expect(text).to.match(/^Enumeration/)
  })
})

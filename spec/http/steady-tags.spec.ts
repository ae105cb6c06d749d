import { Readable } from 'node:stream'
import { expect } from 'chai'
import { fixtures, withMounted } from '../support/mounted.js'
import { settableClock } from '../support/webhooks.js'

const HOUR = 3_600_000

describe('the tag of a record', function () {
  this.timeout(60_000)
  const clock = settableClock('2026-11-21T09:00:00Z')
  const mounted = withMounted('mounted under a prefix', { clock, rateLimit: { perHour: 1_000_000, burst: false } })
  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await mounted.ask('@owen', method, path, body, headers)
    return { ...answer, tag: String(answer.headers['etag']) }
  }

  it('stays good for changes of every type while only time passes', async () => {
    const types = new Set<string>()
    for (const record of fixtures.world.records) {
      const type = mounted.itsm.catalog.type(record.type)
      if (types.has(type.name) || !type.operations.has('single') || !type.operations.has('update')) continue
      const path = `/${type.path}/${mounted.world.id(record.name)}`
      const { status, tag } = await ask('GET', path)
      if (status !== 200) continue
      clock.pass(10 * 60_000)
      const changed = await ask('PATCH', path, {}, { 'If-Match': tag })
      if (changed.status === 403) continue
      expect([path, changed.status, changed.tag]).to.deep.equal([path, 200, tag])
      clock.pass(48 * HOUR)
      const later = await ask('PATCH', path, {}, { 'If-Match': tag })
      expect([path, later.status, later.tag]).to.deep.equal([path, 200, tag])
      types.add(type.name)
    }
    expect(types.size).to.be.greaterThan(30)
  })

  describe('with a file, whose URL expires,', () => {
    let path = ''
    before(async () => {
      path = `/sites/${mounted.world.id('utrecht')}`
      const system = mounted.itsm.asSystem('the specs need a file', 'widgets')
      const { key } = await system.upload({
        name: 'plan.txt',
        type: 'text/plain',
        content: Readable.from([Buffer.from('plan')]),
      })
      await system.update('site', mounted.world.id('utrecht'), { remarks_attachments: [{ key }] })
    })
    const contentOf = (tag: string) => /^W\/"([0-9a-f]{24})[0-9a-f]{8}"$/.exec(tag)?.[1]

    it('stays good for changes, and brings the new URL to those who ask for it', async () => {
      const first = await ask('GET', path)
      const uriOf = (answer: { json: unknown }) => (answer.json as { attachments: { uri: string }[] }).attachments[0]?.uri
      expect(uriOf(first)).to.include('expires=')
      expect((await ask('GET', path, undefined, { 'If-None-Match': first.tag })).status).to.equal(304)
      clock.pass(10 * HOUR)
      const later = await ask('GET', path, undefined, { 'If-None-Match': first.tag })
      expect([later.status, contentOf(later.tag)]).to.deep.equal([200, contentOf(first.tag)])
      expect([later.tag === first.tag, uriOf(later) === uriOf(first)]).to.deep.equal([false, false])
      expect((await ask('GET', path, undefined, { 'If-Match': first.tag })).status).to.equal(200)
      const changed = await ask('PATCH', path, { remarks: 'New plan.' }, { 'If-Match': first.tag })
      expect(changed.status).to.equal(200)
      expect((await ask('GET', path)).tag).to.equal(changed.tag)
      clock.pass(10 * HOUR)
      expect((await ask('PATCH', path, { remarks: 'Newer plan.' }, { 'If-Match': first.tag })).status).to.equal(412)
      expect((await ask('PATCH', path, { remarks: 'Newer plan.' }, { 'If-Match': changed.tag })).status).to.equal(200)
    })

    it('notices a URL of a file that somebody has written', async () => {
      const { json } = await ask('GET', path)
      const uri = String((json as { attachments: { uri: string }[] }).attachments[0]?.uri)
      const first = await ask('PATCH', path, { remarks: uri })
      await ask('PATCH', path, { remarks: uri.replace(/expires=\d+/, 'expires=1') })
      expect((await ask('PATCH', path, { remarks: '' }, { 'If-Match': first.tag })).status).to.equal(412)
      expect((await ask('PATCH', path, { remarks: uri })).tag).to.equal(first.tag)
    })

    it('is that of the record, also with the form for files', async () => {
      const form = await ask('GET', `${path}?attachment_upload_token=true`)
      expect(form.json).to.have.property('storage_upload')
      const again = await ask('GET', `${path}?attachment_upload_token=true`)
      expect(again.tag).to.not.equal(form.tag)
      expect((await ask('PATCH', path, {}, { 'If-Match': form.tag })).status).to.equal(200)
      expect(contentOf((await ask('GET', path)).tag)).to.equal(contentOf(form.tag))
    })

    it('is that of a list with its files', async () => {
      const first = await ask('GET', '/sites?fields=attachments,name')
      clock.pass(10 * HOUR)
      const later = await ask('GET', '/sites?fields=attachments,name')
      expect(contentOf(later.tag)).to.equal(contentOf(first.tag))
    })
  })

  it('is that of the URL with its fields, and of the language of the caller', async () => {
    const path = `/requests/${mounted.world.id('forgotten-password')}`
    const plain = await ask('GET', path)
    const more = await ask('GET', `${path}?fields=custom_fields`)
    expect(more.tag).to.not.equal(plain.tag)
    expect((await ask('PATCH', path, {}, { 'If-Match': more.tag })).status).to.equal(412)
    const changed = await ask('PATCH', `${path}?fields=custom_fields`, {}, { 'If-Match': more.tag })
    expect([changed.status, changed.tag]).to.deep.equal([200, more.tag])
    const script = await mounted.ask(null, 'GET', `${path}?callback=f&api_token=${mounted.world.token('@owen')}`)
    expect(script.text).to.include(JSON.stringify(plain.tag))
    const packed = await ask('GET', path, undefined, { 'Accept-Encoding': 'gzip' })
    expect(packed.tag).to.equal(plain.tag)
    expect((await ask('PATCH', `${path}.json?_=1`, {}, { 'If-Match': plain.tag })).status).to.equal(200)
  })
})

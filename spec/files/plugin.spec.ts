import { expect } from 'chai'
import type { FileFacts } from '../../plugin/index.js'
import { withMounted } from '../support/mounted.js'

/** The bucket of a host, as the guide to attachments shows it. */
const bucket = new Map<string, Buffer>()
const facts: FileFacts[] = []
const store = {
  async write(key: string, content: AsyncIterable<Uint8Array>, about: FileFacts) {
    const pieces: Uint8Array[] = []
    for await (const piece of content) pieces.push(piece)
    bucket.set(key, Buffer.concat(pieces))
    facts.push(about)
  },
  async *read(key: string) {
    yield bucket.get(key) ?? Buffer.alloc(0)
  },
  async remove(key: string) {
    bucket.delete(key)
  },
}

describe('files of a plugin', () => {
  const mounted = withMounted('mounted under a prefix', {
    files: { store, allowedExtensions: ['LOG', 'txt'], sizeLimit: 1_000, urlLifetimeMs: 600_000 },
    headerPrefixes: ['X-Desk-', 'X-SVC-'],
  })
  async function* content(text: string) {
    yield Buffer.from(text)
  }
  const pathOf = (address: string) => address.slice(mounted.baseUrl.length)

  it('are uploaded by code of the host, attached, and kept where the host wants them', async () => {
    const owen = mounted.itsm.as(Number(mounted.world.id('owen')))
    const { key, size } = await owen.upload({ name: 'boot.log', type: 'text/plain', content: content('all is well') })
    expect(size).to.equal(11)
    const site = await owen.update('site', Number(mounted.world.id('utrecht')), { remarks_attachments: [{ key }] })
    const [attachment] = site['attachments'] as unknown as { name: string; uri: string }[]
    expect(attachment?.name).to.equal('boot.log')
    const answer = await mounted.ask(null, 'GET', pathOf(attachment?.uri ?? ''))
    expect([answer.status, answer.text, answer.headers['content-type']]).to.deep.equal([200, 'all is well', 'text/plain'])
    expect([...bucket.values()].map(String)).to.deep.equal(['all is well'])
    expect(facts).to.deep.equal([{ accountId: 'widgets', name: 'boot.log', type: 'text/plain', size: null }])
  })

  it('are uploaded by the service itself', async () => {
    const service = mounted.itsm.asSystem('nightly logs', 'widgets')
    const { key } = await service.upload({ name: 'night.log', content: content('quiet') })
    const site = await service.update('site', Number(mounted.world.id('utrecht')), { remarks_attachments: [{ key }] })
    expect(site['attachments']).to.have.length(2)
  })

  it('keep to the limits that the host sets, which the form tells', async () => {
    const { json } = await mounted.ask('@ines', 'GET', '/attachments/storage')
    expect(json).to.deep.include({ size_limit: 1_000, allowed_extensions: ['log', 'txt'] })
    expect(Object.keys((json as { local: object }).local)).to.deep.equal(['key', 'x-desk-expiration', 'x-desk-signature'])
    const ines = mounted.itsm.as(Number(mounted.world.id('ines')))
    for (const [name, text, code] of [
      ['a.exe', 'x', 'file_type'],
      ['a.log', 'x'.repeat(1_001), 'file_too_big'],
    ] as const) {
      const refused = await ines.upload({ name, content: content(text) }).catch((error: { violations: unknown[][] }) => error)
      expect((refused as { violations: unknown[][] }).violations[0]?.slice(0, 2)).to.deep.equal(['file', code])
    }
  })

  it('are not taken with the form of a person who has been disabled since', async () => {
    const service = mounted.itsm.asSystem('end of employment', 'widgets')
    const eva = Number(mounted.world.id('eva'))
    const form = (await mounted.ask('@eva', 'GET', '/attachments/storage')).json as { local: Record<string, string> }
    const parts = [...Object.entries(form.local), ['file"; filename="a.log', 'x']]
    const part = ([name, text]: string[]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
    const body = Buffer.from(`${parts.map(part).join('')}--b--\r\n`)
    const post = () => mounted.ask(null, 'POST', '/attachments', body, { 'Content-Type': 'multipart/form-data; boundary=b' })
    expect((await post()).status).to.equal(200)
    await service.update('person', eva, { disabled: true })
    expect((await post()).status).to.equal(403)
    await service.update('person', eva, { disabled: false })
    expect((await post()).status).to.equal(200)
  })

  it('are shown as pictures without a signature', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    const picture_uri = `data:image/png;base64,${png.toString('base64')}`
    const saved = await mounted.ask('@owen', 'PATCH', `/sites/${mounted.world.id('utrecht')}`, { picture_uri })
    const address = String((saved.json as { picture_uri: unknown }).picture_uri)
    const answer = await mounted.ask(null, 'GET', pathOf(address))
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).to.deep.equal([
      200,
      'image/png',
      'inline; filename="picture.png"',
    ])
    const again = await mounted.ask(null, 'GET', pathOf(address), undefined, {
      'If-None-Match': String(answer.headers['etag']),
    })
    expect(again.status).to.equal(304)
  })
})

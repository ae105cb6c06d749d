import { expect } from 'chai'
import { createFiles } from '../../../../plugin/files/files.js'
import { MAX_PICTURE_BYTES } from '../../../../plugin/schema/kinds/values/picture-data.js'
import { refusalOf, withHouse } from '../../../support/house.js'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex')
const GIF = Buffer.from('GIF89a......')
const WEBP = Buffer.from('RIFF....WEBPVP8 ')
const ADDRESS = /^https:\/\/desk\.example\/v1\/pictures\/acme\/\d+-[0-9a-f]{32}\/picture\.(png|jpg|gif|webp)$/

describe('pictures', () => {
  const house = withHouse()
  let admin = 0
  let count = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
  })

  const files = () => createFiles({ ...house.filesDeps, sizeLimit: 1000 })
  const save = async (id: number | null, body: object) => house.operations.save(await house.by(admin), 'site', id, body)
  const create = async (picture_uri: unknown) => {
    count += 1
    return Number((await save(null, { name: `Site ${count}`, picture_uri }))['id'])
  }
  const shown = async (id: number) => (await house.operations.read(await house.by(admin), 'site', id))['picture_uri']
  const download = async (address: unknown) => {
    const found = await files().picture(String(address).replace('https://desk.example/v1/', ''))
    const read: Uint8Array[] = []
    for await (const piece of found.content()) read.push(piece)
    return { type: found.type, bytes: Buffer.concat(read) }
  }
  const rows = () => house.storage.knex('itsm_files').orderBy('id')
  const refused = (picture_uri: unknown) => refusalOf(create(picture_uri))

  beforeEach(async () => {
    await house.storage.knex('itsm_sites').delete()
    await house.storage.knex('itsm_files').delete()
    await house.storage.knex('itsm_file_chunks').delete()
  })

  for (const [name, bytes, type] of [
    ['png', PNG, 'image/png'],
    ['jpeg', JPEG, 'image/jpeg'],
    ['gif', GIF, 'image/gif'],
    ['webp', WEBP, 'image/webp'],
  ] as const) {
    it(`of the kind ${name} are kept as files, and answered as links to them`, async () => {
      const address = await shown(await create(dataUrl(name, bytes)))
      expect(address).to.match(ADDRESS)
      expect(await download(address)).to.deep.equal({ type, bytes })
    })
  }

  it('are what their bytes are, whatever they are called', async () => {
    const address = await shown(await create(dataUrl('gif', PNG)))
    expect(address).to.match(/picture\.png$/)
    expect((await download(address)).type).to.equal('image/png')
  })

  it('may be addresses on other servers, which stay as they are, and nothing', async () => {
    for (const address of [null, 'https://pictures.example/a%20b.png?c=d', 'HTTP://pictures.example/', '']) {
      expect(await shown(await create(address))).to.equal(address === '' ? null : address)
    }
    expect(await rows()).to.deep.equal([])
  })

  it('may be as large as a megabyte, and not one byte more', async () => {
    const bytes = Buffer.alloc(MAX_PICTURE_BYTES)
    PNG.copy(bytes)
    const address = await shown(await create(dataUrl('png', bytes)))
    expect((await download(address)).bytes.equals(bytes)).to.equal(true)
    const more = dataUrl('png', Buffer.concat([bytes, Buffer.alloc(1)]))
    const tooBig = [['picture_uri', 'file_too_big', { max: 1 }]]
    expect([await refused(more), await refused(more.repeat(2))]).to.deep.equal([tooBig, tooBig])
  })

  const NO_PICTURES: readonly (readonly [name: string, value: unknown, code: string])[] = [
    ['an SVG image', dataUrl('svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'no_picture'],
    ['an SVG image that is called PNG', dataUrl('png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'no_picture'],
    ['a page', `data:text/html;base64,${PNG.toString('base64')}`, 'no_picture'],
    ['an image that is not in base64', `data:image/png,${PNG.toString('latin1').replace(/\0/g, '')}`, 'no_picture'],
    ['broken base64', `${dataUrl('png', PNG)}*`, 'no_picture'],
    ['an empty image', 'data:image/png;base64,', 'no_picture'],
    ['the key of a file', `pictures/acme/1-${'a'.repeat(32)}/picture.png`, 'invalid'],
    ['a script', 'javascript:alert(1)', 'invalid'],
    ['a file of the reader', 'file:///etc/passwd', 'invalid'],
    ['a text', 'my picture', 'invalid'],
    ['an object', { id: 5 }, 'invalid'],
  ]
  for (const [name, value, code] of NO_PICTURES) {
    it(`are refused when they are ${name}`, async () => {
      expect(await refused(value)).to.deep.equal([['picture_uri', code]])
      expect(await rows()).to.deep.equal([])
    })
  }

  it('are refused when their address is longer than 1024 characters', async () => {
    const address = `https://pictures.example/${'x'.repeat(1000)}`
    expect(await shown(await create(address.slice(0, 1024)))).to.equal(address.slice(0, 1024))
    expect(await refused(address)).to.deep.equal([['picture_uri', 'too_long', { max: 1024 }]])
  })

  it('that are sent again, as an image or by their address, change nothing', async () => {
    const id = await create(dataUrl('png', PNG))
    const address = await shown(id)
    house.clock.pass(60_000)
    for (const same of [dataUrl('png', PNG), address]) {
      const [outcome] = await house.operations.saveAll(await house.by(admin), 'site', [{ id, body: { picture_uri: same } }])
      expect(outcome?.outcome).to.equal('unchanged')
    }
    expect([await shown(id), (await rows()).length]).to.deep.equal([address, 1])
  })

  it('get another address with another image, and the old one goes with the next round', async () => {
    const id = await create(dataUrl('png', PNG))
    const other = await create(dataUrl('png', PNG))
    const [first, kept] = [await shown(id), await shown(other)]
    await save(id, { picture_uri: dataUrl('gif', GIF) })
    const second = await shown(id)
    expect(second).to.match(/picture\.gif$/)
    await files().cleanUp()
    const keyOf = (address: unknown) => String(address).replace('https://desk.example/v1/', '')
    expect((await rows()).map(({ key }) => key)).to.have.members([keyOf(kept), keyOf(second)])
    expect((await rows()).map(({ key }) => key)).not.to.include(keyOf(first))
    await save(id, { picture_uri: null })
    await house.storage.knex('itsm_sites').where({ id: other }).delete()
    await files().cleanUp()
    expect([await rows(), await house.storage.knex('itsm_file_chunks')]).to.deep.equal([[], []])
  })

  it('of records that are refused are not kept', async () => {
    expect(await refusalOf(save(null, { name: '', picture_uri: dataUrl('png', PNG) }))).to.deep.equal([['name', 'blank']])
    expect([await rows(), await house.storage.knex('itsm_file_chunks')]).to.deep.equal([[], []])
  })

  it('are kept for every record of a batch', async () => {
    const items = [1, 2, 3].map((number) => ({
      id: null,
      body: { name: `Batch ${number}`, picture_uri: number === 2 ? 'nonsense' : dataUrl('png', PNG) },
    }))
    const outcomes = await house.operations.saveAll(await house.by(admin), 'site', items)
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'refused', 'created'])
    expect(await rows()).to.have.length(2)
  })

  it('stand as addresses in the history, too', async () => {
    const id = await create(null)
    await save(id, { picture_uri: dataUrl('png', PNG) })
    const page = await house.operations.list(await house.by(admin), 'audit_line', {
      parameters: [['sort', '-id']],
      within: { type: 'site', id, path: 'audit' },
    })
    const changes = page.items[0]?.['changes'] as { readonly picture_uri: readonly unknown[] }
    expect(changes.picture_uri).to.deep.equal([null, await shown(id)])
  })
})

function dataUrl(type: string, bytes: Buffer): string {
  return `data:image/${type};base64,${bytes.toString('base64')}`
}

import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { KeptText } from '../../plugin/core/kept-text.js'

describe('core/kept-text', () => {
  it('is tagged and compressed once', async () => {
    const kept = new KeptText('Grüße')
    let made = 0
    const tag = (bytes: Buffer) => `${++made} ${bytes.length}`
    expect([kept.tag(tag), kept.tag(tag)]).to.deep.equal(['1 7', '1 7'])
    const [one, other] = await Promise.all([kept.gzip(), kept.gzip()])
    expect(one).to.equal(other)
    expect(gunzipSync(one).toString()).to.equal(kept.text)
  })
})

import { expect } from 'chai'
import { withoutEnd, withoutStart } from '../../../plugin/core/text/trim.js'

describe('taking repeated characters off the ends of texts', () => {
  it('leaves those in the middle', () => {
    expect(withoutEnd('//a//b//', '/')).to.equal('//a//b')
    expect(withoutStart('//a//b//', '/')).to.equal('a//b//')
  })

  it('leaves nothing of a text of nothing else', () => {
    expect([withoutEnd('////', '/'), withoutStart('////', '/'), withoutEnd('', '/'), withoutStart('', '/')]).to.deep.equal([
      '',
      '',
      '',
      '',
    ])
  })
})

import { expect } from 'chai'
import { narrowedBy, scopeOf } from '../../../plugin/access/oauth/scopes.js'
import type { Limits } from '../../../plugin/access/tokens/limited-rows.js'

const ALL: Limits = { readOnly: false, recordTypes: null }
const REQUESTS: Limits = { readOnly: true, recordTypes: ['request', 'note'] }
const isRecordType = (name: string) => ['request', 'note', 'person'].includes(name)

describe('scopes of OAuth', () => {
  const narrow = (scopes: string[] | null, limits = ALL) => narrowedBy(scopes, limits, isRecordType)

  it('narrow what a client may do', () => {
    expect(narrow(null)).to.deep.equal(ALL)
    expect(narrow(null, REQUESTS)).to.deep.equal(REQUESTS)
    expect(narrow(['read_only'])).to.deep.equal({ readOnly: true, recordTypes: null })
    expect(narrow(['person', 'request', 'person'])).to.deep.equal({ readOnly: false, recordTypes: ['person', 'request'] })
    expect(narrow(['request'], REQUESTS)).to.deep.equal({ readOnly: true, recordTypes: ['request'] })
    expect(narrow(['read_only'], REQUESTS)).to.deep.equal(REQUESTS)
    // A type that is no longer in the catalog is one that the client has.
    expect(narrow(['old'], { readOnly: false, recordTypes: ['old'] })).to.deep.equal({ readOnly: false, recordTypes: ['old'] })
  })

  it('never widen it', () => {
    expect(narrow(['person'], REQUESTS)).to.equal(null)
    expect(narrow(['request', 'person'], REQUESTS)).to.equal(null)
    for (const unknown of ['vehicle', 'requests', 'REQUEST', 'write', '__proto__', 'constructor', 'a\tb']) {
      expect(narrow([unknown]), unknown).to.equal(null)
      expect(narrow(['request', unknown]), unknown).to.equal(null)
    }
    expect(narrow([])).to.equal(null)
    expect(narrow(['person'], { readOnly: false, recordTypes: [] })).to.equal(null)
  })

  it('are shown for tokens with limits', () => {
    expect(scopeOf(ALL)).to.equal(null)
    expect(scopeOf(REQUESTS)).to.equal('read_only request note')
    expect(scopeOf({ readOnly: false, recordTypes: ['note'] })).to.equal('note')
  })
})

import { expect } from 'chai'
import { type Facts, type Happened, KEPT_BY, keptBy, type Subscriber } from '../../plugin/webhooks/kept-by.js'

const WEBHOOK: Subscriber = {
  id: 1,
  accountId: 'acme',
  event: 'request.note-added',
  uri: 'https://a.example/',
  disabled: false,
}
const EVENT = {
  event: 'request.note-added',
  recordType: 'request',
  recordId: 17,
  accountId: 'acme',
  snapshot: { note_id: 5 },
} as unknown as Happened
const NOTHING: Facts = { seen: new Map(), readers: new Map() }

describe('what keeps an event from a webhook', () => {
  const provider = { ...WEBHOOK, accountId: 'provider' }
  const visible = { seen: new Map([['request/17', new Set(['provider'])]]), readers: new Map() }

  it('is nothing in its own account, and where the record is visible', () => {
    expect(keptBy(WEBHOOK, EVENT, NOTHING)).to.equal(null)
    expect(keptBy(provider, EVENT, visible)).to.equal(null)
  })

  it('is each reason on its own', () => {
    expect(keptBy({ ...WEBHOOK, disabled: true }, EVENT, NOTHING)).to.equal('disabled')
    expect(keptBy({ ...WEBHOOK, event: 'request.update' }, EVENT, NOTHING)).to.equal('event')
    expect(keptBy(provider, EVENT, NOTHING)).to.equal('account_not_visible')
    expect(keptBy(provider, EVENT, { ...visible, readers: new Map([[5, 'acme']]) })).to.equal('internal_note')
  })

  it('is the first of several, in the order in which they are documented', () => {
    const readers = new Map([[5, 'acme']])
    const found = [
      keptBy({ ...provider, disabled: true, event: 'x.update' }, EVENT, { ...NOTHING, readers }),
      keptBy({ ...provider, event: 'x.update' }, EVENT, { ...NOTHING, readers }),
      keptBy(provider, EVENT, { ...NOTHING, readers }),
      keptBy(provider, EVENT, { ...visible, readers }),
    ]
    expect(found).to.deep.equal([...KEPT_BY])
  })
})

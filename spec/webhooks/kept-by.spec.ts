import { expect } from 'chai'
import { createDecide, type Happened, KEPT_BY, type Kept, type Subscriber } from '../../plugin/webhooks/kept-by.js'
import { partsOf, withWebhooks } from '../support/webhooks.js'

const ASKING = { event: 'request.create', events: null, filter: null, exceptPersonId: null, disabled: false }
const SUBSCRIPTION: Subscriber = { id: 1, accountId: 'acme', uri: 'https://a.example/', asking: ASKING }
const EVENT: Happened = {
  ...{ event: 'request.create', recordType: 'request', recordId: 17, accountId: 'acme', personId: 7, personName: 'Ines' },
  ...{ auditLineId: null, snapshot: { status: 'declared' }, team: null, member: null, at: new Date('2026-11-21T09:00:00Z') },
}

describe('what keeps an event from a webhook', () => {
  const world = withWebhooks()
  const provider = { ...SUBSCRIPTION, accountId: 'provider' }
  const asking = (more: object, webhook = SUBSCRIPTION): Subscriber => ({ ...webhook, asking: { ...ASKING, ...more } })

  /** @param isVisible true if the record is visible to the provider */
  async function keptBy(webhook: Subscriber, isVisible = false): Promise<Kept | null> {
    const visibleIn = async () => new Map(isVisible ? [['request/17', new Set(['provider'])]] : [])
    const decide = createDecide({ ...partsOf(world), visibleIn })
    return (await decide(world.storage.knex, [EVENT], [webhook]))(webhook, EVENT)
  }

  it('is nothing in its own account, and where the record is visible', async () => {
    expect(await keptBy(SUBSCRIPTION)).to.equal(null)
    expect(await keptBy(provider, true)).to.equal(null)
    expect(await keptBy(asking({ event: 'problem.create', events: '["request.*"]', filter: 'status=declared' }))).to.equal(null)
  })

  it('is each reason on its own, with the term and the value that it met', async () => {
    const none = { term: null, met: null }
    expect(await keptBy(asking({ disabled: true }))).to.deep.equal({ by: 'disabled', ...none })
    expect(await keptBy(asking({ event: 'request.update' }))).to.deep.equal({ by: 'event', ...none })
    expect(await keptBy(provider)).to.deep.equal({ by: 'account_not_visible', ...none })
    const own = { by: 'own_change', term: 'except_person_id=7', met: 7 }
    expect(await keptBy(asking({ exceptPersonId: 7 }))).to.deep.equal(own)
    const filter = { by: 'filter', term: 'status=assigned', met: 'declared' }
    expect(await keptBy(asking({ filter: 'status=assigned' }))).to.deep.equal(filter)
  })

  it('is the first of several, in the order in which they are documented', async () => {
    const all = { disabled: true, event: 'x.update', exceptPersonId: 7, filter: 'status=assigned' }
    const found = [
      await keptBy(asking(all, provider)),
      await keptBy(asking({ ...all, disabled: false }, provider)),
      await keptBy(asking({ ...all, disabled: false, event: ASKING.event }, provider)),
      await keptBy(asking({ ...all, disabled: false, event: ASKING.event }, provider), true),
      await keptBy(asking({ filter: all.filter }, provider), true),
    ]
    expect(found.map((kept) => kept?.by)).to.deep.equal(KEPT_BY.filter((by) => by !== 'internal_note'))
  })
})

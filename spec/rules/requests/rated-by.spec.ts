import { expect } from 'chai'
import { ratedBy } from '../../../plugin/rules/requests/rated-by.js'
import { run, type Surroundings } from '../context.js'

describe('ratedBy', () => {
  const use = ratedBy('rating', {
    by: ['buyer', 'user'],
    status: 'status',
    values: ['done'],
    unhappy: ['bad'],
    reason: 'note',
  })
  const refs = { buyer: 'person', user: 'person' }
  const before = { id: 1, buyer_id: 7, user_id: 8, status: 'done', rating: null }
  const fails = async (about: Surroundings, rating = 'good') =>
    (await run(use, { refs, before, actor: 7, next: { rating }, ...about })).fails

  it('lets the people who are named rate what is done', async () => {
    expect(await fails({})).to.deep.equal([])
    expect(await fails({ actor: 8 })).to.deep.equal([])
  })
  it('refuses others, the service without a person, and what is not done yet', async () => {
    expect(await fails({ actor: 9 })).to.deep.equal([['rating', 'not_allowed']])
    expect(await fails({ actor: null })).to.deep.equal([['rating', 'not_allowed']])
    expect(await fails({ before: { ...before, buyer_id: null, user_id: null }, actor: null })).to.have.length(1)
    expect(await fails({ before: { ...before, status: 'open' } })).to.deep.equal([['rating', 'not_allowed']])
    // The same save may reopen it, and cannot finish it.
    expect(await fails({ next: { rating: 'good', status: 'open' } })).to.deep.equal([])
    expect(await fails({ before: { ...before, status: 'open' }, next: { rating: 'good', status: 'done' } })).to.have.length(1)
  })
  it('wants to know why somebody is not happy', async () => {
    expect(await fails({}, 'bad')).to.deep.equal([['note', 'blank']])
    expect(await fails({ input: { note: 'Broken.' } }, 'bad')).to.deep.equal([])
  })
  it('is silent while nobody rates', async () => {
    expect((await run(use, { refs, before, actor: 9, next: {} })).fails).to.deep.equal([])
    expect(await fails({ before: null })).to.deep.equal([])
  })
})

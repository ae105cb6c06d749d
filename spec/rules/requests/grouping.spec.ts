import { expect } from 'chai'
import { groupedInto, passedOn } from '../../../plugin/rules/requests/grouping.js'
import { run } from '../context.js'

const refs = { grouped_into: 'request', team: 'team' }
const acme = { account_id: 'acme' }
const stored = {
  request: [
    { id: 1, ...acme, grouping: 'none', grouped_into_id: null, subject: 'No mail', status: 'declined', team_id: 5 },
    { id: 2, ...acme, grouping: 'group', grouped_into_id: null },
    { id: 3, ...acme, grouping: 'grouped', grouped_into_id: 2, status: 'assigned' },
    { id: 4, ...acme, grouping: 'grouped', grouped_into_id: 2, status: 'completed' },
    { id: 5, account_id: 'globex', grouping: 'group', grouped_into_id: null },
  ],
}

describe('groupedInto', () => {
  const rule = groupedInto('grouped_into', { grouping: 'grouping' })
  const cases: readonly (readonly [before: object | null, next: object, grouping: string, refused?: string])[] = [
    [null, {}, 'none'],
    [null, { grouping: 'group' }, 'group'],
    [null, { grouped_into_id: 2 }, 'grouped'],
    [{ id: 9, grouping: 'none' }, { grouped_into_id: 1 }, 'grouped'],
    [{ id: 9, grouping: 'none' }, { grouped_into_id: 3 }, 'grouped', 'not_a_group'],
    [{ id: 9, grouping: 'none' }, { grouped_into_id: 5 }, 'grouped', 'not_a_group'],
    [{ id: 9, grouping: 'group' }, { grouped_into_id: 2 }, 'grouped', 'group_in_group'],
    [{ id: 9, grouping: 'group' }, { subject: 's' }, 'group'],
    [{ id: 9, grouping: 'grouped', grouped_into_id: 2 }, { grouped_into_id: null }, 'none'],
    [{ id: 9, grouping: 'none', grouped_into_id: 3 }, { subject: 's' }, 'grouped'],
  ]
  for (const [before, next, grouping, refused] of cases) {
    it(`${refused ? 'refuses' : 'accepts'} ${JSON.stringify(next)} after ${JSON.stringify(before)}`, async () => {
      const { fails, next: filled } = await run(rule, {
        type: 'request',
        before: before as never,
        next: { ...next },
        refs,
        stored,
      })
      expect(filled['grouping']).to.equal(grouping)
      expect(fails).to.deep.equal(refused ? [['grouped_into', refused]] : [])
    })
  }

  it('makes a group that contains both', async () => {
    const { next, saves } = await run(
      rule,
      { type: 'request', before: { id: 9, grouping: 'none' }, next: { grouped_into_id: 1 }, refs, stored },
      'all',
    )
    expect(next['grouped_into_id']).to.equal(999)
    expect(saves.map(([type, id]) => [type, id])).to.deep.equal([
      ['request', null],
      ['request', 1],
    ])
    expect(saves[0]?.[2]).to.include({ subject: 'No mail', status: 'assigned', team_id: 5, grouping: 'group' })
    expect(saves[1]?.[2]).to.deep.equal({ grouped_into_id: 999 })
  })

  it('joins the group that another transaction has made by then', async () => {
    const { next, saves } = await run(
      rule,
      { type: 'request', before: { id: 9, grouping: 'none' }, next: { grouped_into_id: 3 }, refs, stored },
      'written',
    )
    expect([next['grouped_into_id'], saves]).to.deep.equal([2, []])
  })
})

describe('passedOn', () => {
  const rule = passedOn('grouped_into', { grouping: 'grouping', fields: ['status', 'team'] })
  const saves = async (before: object | null, next: object) =>
    (await run(rule, { type: 'request', before: before as never, next: { ...next }, refs, stored }, 'written')).saves
  const group = { id: 2, grouping: 'group', status: 'assigned', team_id: 5 }

  it('passes what has changed on to open requests of the group', async () => {
    expect(await saves(group, { status: 'completed', team_id: 6 })).to.deep.equal([
      ['request', 3, { status: 'completed', team_id: 6 }],
    ])
  })
  it('passes on to all of them when the group was completed', async () => {
    const ids = (await saves({ ...group, status: 'completed' }, { status: 'assigned' })).map(([, id]) => id)
    expect(ids).to.deep.equal([3, 4])
  })
  it('leaves other values, and requests that are no group', async () => {
    expect(await saves(group, { subject: 's' })).to.deep.equal([])
    expect(await saves({ ...group, grouping: 'none' }, { status: 'completed' })).to.deep.equal([])
    expect(await saves(null, group)).to.deep.equal([])
  })
})

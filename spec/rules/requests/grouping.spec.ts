import { expect } from 'chai'
import { groupedInto, notesPassedOn, passedOn } from '../../../plugin/rules/requests/grouping.js'
import { NOW, run } from '../context.js'

const refs = { grouped_into: 'request', team: 'team' }
const acme = { account_id: 'acme' }
const stored = {
  request: [
    { id: 1, ...acme, grouping: 'none', grouped_into_id: null, subject: 'No mail', status: 'declined', team_id: 5 },
    { id: 2, ...acme, grouping: 'group', grouped_into_id: null },
    { id: 3, ...acme, grouping: 'grouped', grouped_into_id: 2, status: 'assigned' },
    { id: 4, ...acme, grouping: 'grouped', grouped_into_id: 2, status: 'completed', with_group: false },
    { id: 8, ...acme, grouping: 'grouped', grouped_into_id: 2, status: 'completed', with_group: true },
    { id: 5, account_id: 'globex', grouping: 'group', grouped_into_id: null },
    { id: 6, ...acme, grouping: 'none', grouped_into_id: null, status: 'completed' },
    { id: 7, ...acme, grouping: 'none', grouped_into_id: null, status: 'accepted', team_id: 8, member_id: 1 },
  ],
  team: [
    { id: 5, disabled: false },
    { id: 6, disabled: false },
    { id: 8, disabled: true },
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

  it('gives the group no team that is disabled', async () => {
    const next = { grouped_into_id: 7 }
    const { saves } = await run(rule, { type: 'request', before: { id: 9, grouping: 'none' }, next, refs, stored }, 'written')
    expect(saves[0]?.[2]).to.include({ status: 'accepted' }).and.not.have.property('team_id')
  })

  for (const [status, refused] of [
    ['assigned', [['grouped_into', 'completed_group']]],
    ['completed', []],
  ] as const) {
    it(`${refused.length > 0 ? 'keeps' : 'lets'} what is ${status} ${refused.length > 0 ? 'out of' : 'into'} a completed group`, async () => {
      const about = { type: 'request', before: { id: 9, grouping: 'none', status }, next: { grouped_into_id: 6 }, refs, stored }
      expect((await run(rule, about, 'written')).fails).to.deep.equal(refused)
    })
  }

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
  const rule = passedOn('grouped_into', {
    grouping: 'grouping',
    completedWith: 'with_group',
    fields: ['status', 'team', 'member', 'change'],
    together: { status: ['reason'], team: ['member'], member: ['team'] },
    withStatus: { change_pending: 'change' },
  })
  const all = { ...refs, member: 'person', change: 'change' }
  const saves = async (before: object | null, next: object) =>
    (await run(rule, { type: 'request', before: before as never, next: { ...next }, refs: all, stored }, 'written')).saves
  const group = { id: 2, grouping: 'group', status: 'assigned', reason: null, team_id: 5, member_id: 1, change_id: 3 }

  it('passes what has changed on to the requests that are not completed on their own', async () => {
    const body = { status: 'completed', reason: 'solved', with_group: true }
    expect(await saves(group, { status: 'completed', reason: 'solved' })).to.deep.equal([
      ['request', 3, body],
      ['request', 8, body],
    ])
  })
  for (const [name, next, body] of [
    ['a team with its member', { team_id: 6 }, { team_id: 6, member_id: 1 }],
    ['a member with the team', { member_id: 4 }, { team_id: 5, member_id: 4 }],
    ['a status with what it needs', { status: 'change_pending' }, { status: 'change_pending', reason: null, change_id: 3 }],
    ['no team that is disabled', { team_id: 8 }, { member_id: 1 }],
  ] as const) {
    it(`passes on ${name}`, async () => {
      expect(await saves(group, next)).to.deep.equal([
        ['request', 3, body],
        ['request', 8, body],
      ])
    })
  }
  it('opens only what was completed with the group', async () => {
    const opened = await saves({ ...group, status: 'completed' }, { status: 'assigned' })
    expect(opened.map(([, id]) => id)).to.deep.equal([3, 8])
  })
  for (const [name, next, is] of [
    ['stays completed', { subject: 's' }, true],
    ['is opened on its own', { status: 'assigned' }, false],
    ['leaves its group', { grouped_into_id: null }, false],
    ['moves to another group', { grouped_into_id: 5 }, false],
  ] as const) {
    it(`knows what was completed with its group when it ${name}`, async () => {
      const before = { id: 8, grouping: 'grouped', grouped_into_id: 2, status: 'completed', with_group: true }
      const { next: filled } = await run(rule, { type: 'request', before, next: { ...next }, refs: all, stored })
      expect(filled['with_group']).to.equal(is)
    })
  }
  it('leaves other values, and requests that are no group', async () => {
    expect(await saves(group, { subject: 's' })).to.deep.equal([])
    expect(await saves({ ...group, grouping: 'none' }, { status: 'completed' })).to.deep.equal([])
    expect(await saves(null, group)).to.deep.equal([])
  })
})

describe('notesPassedOn', () => {
  const rule = notesPassedOn('request', {
    by: 'grouped_into',
    grouping: 'grouping',
    except: ['requested_by'],
    unless: ['specialist'],
  })
  const note = { owner_type: 'request', owner_id: 2, text: 'Soon.', medium: 'default', person_id: 7, internal: false }
  const grouped = (completed_at: string | null) => ({
    request: [
      { id: 1, grouping: 'none' },
      { id: 2, grouping: 'group', status: completed_at ? 'completed' : 'assigned', completed_at, requested_by_id: 9 },
      { id: 3, grouped_into: 2, status: 'assigned' },
      { id: 4, grouped_into: 2, status: 'completed' },
    ],
  })
  for (const [name, next, completedAt, owners] of [
    ['to open requests', note, null, [3]],
    ['to open requests when the group is completed with it', note, NOW, [3]],
    ['to all when the group was completed before', note, '2026-11-20T00:00:00Z', [3, 4]],
    ['not if it is of the requester', { ...note, person_id: 9 }, null, []],
    ['not if it is internal', { ...note, internal: true }, null, []],
    ['not from a single request', { ...note, owner_id: 1 }, null, []],
    ['not from another record', { ...note, owner_type: 'task' }, null, []],
  ] as const) {
    it(`passes a note of a group on ${name}`, async () => {
      const stored = grouped(completedAt) as never
      const { saves } = await run(rule, { type: 'note', next, stored }, 'written')
      const body = { medium: 'default', person_id: 7, text: 'Soon.' }
      expect(saves).to.deep.equal(owners.map((id) => ['note', null, body, { type: 'request', id }]))
    })
  }

  it('passes on what the requester writes who works on requests', async () => {
    const next = { ...note, person_id: 9 }
    const about = { type: 'note', next, stored: grouped(null) as never, callRoles: ['specialist'] } as const
    expect((await run(rule, about, 'written')).saves).to.have.length(1)
  })
})

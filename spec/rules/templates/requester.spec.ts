import { expect } from 'chai'
import { type People, toldToProjectTask, toldToTask } from '../../../plugin/rules/templates/requester.js'

const chosen = (...people: number[]) => people.map((person) => ({ person, effort: null }))
const [RITA, ADA, MIA, BOB] = [1, 2, 3, 4] as const

describe('a task whose requester becomes known', () => {
  const nobody: People = { isApproval: false, member: null, parts: [], named: [], all: [], requesters: [] }
  const cases: readonly (readonly [name: string, people: Partial<People>, member: number | null, parts: number[]])[] = [
    ['goes to the requester', { all: chosen(RITA), requesters: chosen(RITA) }, RITA, []],
    ['goes to the first one whom the template means', { all: chosen(MIA, RITA), requesters: chosen(RITA) }, MIA, []],
    ['stays with its member', { member: BOB, all: chosen(RITA), requesters: chosen(RITA) }, null, []],
    ['stays as it is without a person', {}, null, []],
    ['is approved by the requester alone', { isApproval: true, all: chosen(RITA), requesters: chosen(RITA) }, RITA, []],
    [
      'is approved by its member and the requester',
      { isApproval: true, member: MIA, all: chosen(MIA, RITA), requesters: chosen(RITA) },
      null,
      [MIA, RITA],
    ],
    [
      'is approved by the requester and the manager of the requester',
      { isApproval: true, all: chosen(RITA, ADA), requesters: chosen(RITA, ADA) },
      null,
      [RITA, ADA],
    ],
    [
      'gets another approver',
      { isApproval: true, parts: [BOB], named: chosen(BOB), member: BOB, all: chosen(BOB, RITA), requesters: chosen(RITA) },
      null,
      [RITA],
    ],
    [
      'gets no approver twice',
      { isApproval: true, parts: [BOB, RITA], named: chosen(BOB, RITA), all: chosen(BOB, RITA), requesters: chosen(RITA) },
      null,
      [],
    ],
    [
      'does not bring back approvers whom a person has removed',
      { isApproval: true, parts: [ADA], named: chosen(BOB), all: chosen(BOB, RITA), requesters: chosen(RITA) },
      null,
      [RITA],
    ],
    [
      'stays with the approver that a person has chosen',
      { isApproval: true, member: BOB, all: chosen(RITA, ADA), requesters: chosen(RITA, ADA) },
      null,
      [],
    ],
    [
      'stays without approvals if they have been removed',
      { isApproval: true, member: BOB, named: chosen(BOB, ADA), all: chosen(BOB, ADA, RITA), requesters: chosen(RITA) },
      null,
      [],
    ],
  ]
  for (const [name, people, member, parts] of cases) {
    it(name, () => {
      const told = toldToTask({ ...nobody, ...people })
      expect([told.member, told.parts.map(({ person }) => person)]).to.deep.equal([member, parts])
    })
  }

  it('of a project is assigned to people who are not assigned yet', () => {
    const told = toldToProjectTask({ parts: [RITA], requesters: chosen(RITA, ADA) })
    expect(told).to.deep.equal({ member: null, parts: chosen(ADA) })
  })
})

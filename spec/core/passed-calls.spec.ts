import { expect } from 'chai'
import type { Call } from '../../plugin/core/call.js'
import { callForRecord } from '../../plugin/core/passed-calls.js'
import { importCall } from '../imports/catalog.js'

describe('calls for a passed record', () => {
  const call: Call = {
    ...importCall(),
    roles: new Set(),
    passed: {
      ...{ type: 'trip', id: 7, accountId: 'globex', reached: ['globex', 'acme'] },
      assignees: new Map([['team_id', 3]]),
      roles: new Set(['specialist', 'account_administrator']),
    },
  }
  const rolesFor = (record: { type: string; id: number }, row: object | null) => [
    ...callForRecord(call, record, row as Readonly<Record<string, unknown>>).roles,
  ]
  const passed = { type: 'trip', id: 7 }

  it('have the role of those who work on it, and no other one', () => {
    expect(rolesFor(passed, { team_id: 3, member_id: null })).to.deep.equal(['specialist'])
    expect(rolesFor(passed, { team_id: '3' })).to.deep.equal(['specialist'])
  })

  it('have none if it was taken back before it was locked', () => {
    expect(rolesFor(passed, { team_id: 4, member_id: 3 })).to.deep.equal([])
    expect(rolesFor(passed, { team_id: null })).to.deep.equal([])
    expect(rolesFor(passed, null)).to.deep.equal([])
  })

  it('have none for other records', () => {
    expect(rolesFor({ type: 'trip', id: 8 }, { team_id: 3 })).to.deep.equal([])
    expect(rolesFor({ type: 'rider', id: 7 }, { team_id: 3 })).to.deep.equal([])
  })
})

import { expect } from 'chai'
import {
  type Authorize,
  applies,
  createDecisions,
  mayReadEverywhere,
  mayUse,
  mayWrite,
} from '../../../plugin/access/sight/decide.js'
import { AS_CALLER, asHost, type Call, followingCall, type Role } from '../../../plugin/core/call.js'
import { Forbidden, HookFailed } from '../../../plugin/core/errors.js'
import type { RecordType } from '../../../plugin/schema/catalog.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { integer, ref, string } from '../../../plugin/schema/kinds/fields.js'
import type { Access } from '../../../plugin/schema/language/define-record.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { errorOf } from '../../support/house.js'

function typeWith(access: Access): RecordType {
  const fields = { id: integer({ readOnly: true }), name: string(10), keeper: ref('person'), note: string(10) }
  const thing = defineRecord('thing', { path: 'things', fields, collection: NONE, access })
  return compile([thing, person], []).type('thing')
}
const NONE = { fields: '', sort: 'id', sortable: '', filterable: '' }
const person = defineRecord('person', {
  path: 'people',
  fields: { id: integer({ readOnly: true }) },
  collection: NONE,
  access: { create: [], update: [] },
})

function callOf(id: number | null, ...roles: Role[]): Call {
  const account = { id: 'acme', name: 'A', locale: 'en-US', timeZone: 'UTC', organizationId: null, directoryAccountId: null }
  const actor = { id: id ?? 0, name: 'A', email: 'a@b', accountId: 'acme', locale: null, timeZone: null, organizationId: null }
  return {
    actor: id === null ? null : actor,
    roles: new Set(roles),
    account,
    ...AS_CALLER,
    trusted: [],
    language: 'en-US',
    zone: 'UTC',
    origin: 'api',
    source: 's',
    now: '2026-11-21T09:30:00Z',
    requestId: 'r',
  }
}
const system: Call = { ...callOf(null), ...asHost('spec') }

describe('what a call may do', () => {
  const type = typeWith({
    create: ['anyone'],
    update: [
      'specialist',
      { person: 'keeper' },
      { who: 'auditor', fields: ['note'] },
      { who: { person: 'keeper' }, fields: ['name'] },
    ],
  })
  const decisions = createDecisions()
  const allowed = async (call: Call, action: 'read' | 'create' | 'update' | 'remove', row: object | null = null) =>
    decisions.decide(call, action, type, row as never).then(
      () => true,
      (error: unknown) => {
        expect(error).to.be.instanceOf(Forbidden)
        return false
      },
    )

  it('follows from the grants of the type', async () => {
    expect(await allowed(callOf(1), 'create')).to.equal(true)
    expect(await allowed(callOf(1), 'update', { id: 5 })).to.equal(false)
    expect(await allowed(callOf(1, 'specialist'), 'update', { id: 5 })).to.equal(true)
    expect(await allowed(callOf(1), 'update', { id: 5, keeper_id: 1 })).to.equal(true)
    expect(await allowed(callOf(1), 'update', { id: 5, keeper_id: 2 })).to.equal(false)
    expect(await allowed(callOf(1, 'specialist'), 'remove', { id: 5 })).to.equal(false)
  })

  it('is nothing for nobody and everything for the service itself', async () => {
    for (const action of ['read', 'create', 'update', 'remove'] as const) {
      expect(await allowed(callOf(null), action), action).to.equal(false)
      expect(await allowed(system, action), action).to.equal(true)
    }
    expect(applies(callOf(null), 'self', { id: 0 })).to.equal(false)
    expect(applies(callOf(null), { person: 'keeper' }, { keeper_id: 0 })).to.equal(false)
  })

  it('is nothing where the type is closed to the roles of the caller', async () => {
    const closed = typeWith({ use: ['auditor'], create: ['anyone'], update: ['anyone'] })
    expect([mayUse(callOf(1), closed), mayUse(callOf(1, 'auditor'), closed), mayUse(system, closed)]).to.deep.equal([
      false,
      true,
      true,
    ])
    expect(await errorOf(decisions.decide(callOf(1), 'read', closed, null))).to.be.instanceOf(Forbidden)
    await decisions.decide(callOf(1, 'auditor'), 'create', closed, null)
  })

  it('covers the fields of all grants that apply', async () => {
    const fields = async (call: Call, row: object) => {
      const found = await decisions.fields(call, 'update', type, row as never)
      return found === 'all' ? found : [...found]
    }
    expect(await fields(callOf(1, 'specialist'), {})).to.equal('all')
    expect(await fields(callOf(1, 'auditor'), {})).to.deep.equal(['note'])
    expect(await fields(callOf(1), { keeper_id: 1 })).to.equal('all')
    expect(await fields(callOf(1), {})).to.deep.equal([])
    const limited = typeWith({
      create: [],
      update: [
        { who: 'auditor', fields: ['note'] },
        { who: { person: 'keeper' }, fields: ['name'] },
      ],
    })
    const both = await decisions.fields(callOf(7, 'auditor'), 'update', limited, { keeper_id: 7 })
    expect(both === 'all' ? both : [...both]).to.deep.equal(['note', 'name'])
  })

  it('counts roles in records of its own account only', () => {
    expect(applies(callOf(1, 'specialist'), 'specialist', { id: 5, account_id: 'acme' })).to.equal(true)
    expect(applies(callOf(1, 'specialist'), 'specialist', { id: 5, account_id: 'globex' })).to.equal(false)
    expect(applies(callOf(1), 'self', { id: 1, account_id: 'globex' })).to.equal(true)
  })

  it('knows whose part a row is', () => {
    expect(applies(callOf(1), 'self', { owner_type: 'person', owner_id: 1, id: 9 })).to.equal(true)
    expect(applies(callOf(1), 'self', { owner_type: 'organization', owner_id: 1, id: 1 })).to.equal(false)
  })

  it('knows who may read a field everywhere, and who may write it', () => {
    const field = (options: object) => ({ ...type.fields.get('name'), ...options }) as never
    expect(mayReadEverywhere(callOf(1), field({}))).to.equal(true)
    expect(mayReadEverywhere(callOf(1), field({ read: ['auditor', 'self', { person: 'keeper' }] }))).to.equal(false)
    expect(mayReadEverywhere(callOf(1, 'auditor'), field({ read: ['auditor'] }))).to.equal(true)
    expect(mayWrite(callOf(1), field({ write: ['auditor', { person: 'keeper' }] }), { keeper_id: 1 })).to.equal(true)
    expect(mayWrite(callOf(1), field({ write: ['auditor'] }), { keeper_id: 1 })).to.equal(false)
  })

  it('leaves fields that nobody may write to the service itself', () => {
    const nobody = { ...typeWith({ create: [], update: [] }).fields.get('name'), write: [] } as never
    expect(mayWrite(callOf(1, 'account_owner', 'account_administrator'), nobody, { keeper_id: 1 })).to.equal(false)
    expect(mayWrite(followingCall(callOf(1), 'target'), nobody, null)).to.equal(true)
  })

  describe('for members of a team', () => {
    const team = defineRecord('team', { ...person, path: 'teams' })
    const fields = {
      id: integer({ readOnly: true }),
      crew: ref('team'),
      secret: string(10, { read: [{ memberOf: 'crew' }], write: [{ memberOf: 'crew' }] }),
    }
    const access = { create: [], update: [{ memberOf: 'crew' }] } as const
    const catalog = compile([defineRecord('ship', { path: 'ships', fields, collection: NONE, access }), team, person], [])
    const ship = catalog.type('ship')

    it('holds while the row names one of their teams', async () => {
      const decisions = createDecisions(undefined, async () => [4, 7])
      await decisions.decide(callOf(1), 'update', ship, { id: 1, crew_id: 7 })
      expect(await decisions.fields(callOf(1), 'update', ship, { id: 1, crew_id: 7 })).to.equal('all')
      for (const row of [{ id: 1, crew_id: 5 }, { id: 1, crew_id: null }, { id: 1 }, null]) {
        expect(await errorOf(decisions.decide(callOf(1), 'update', ship, row))).to.be.instanceOf(Forbidden)
      }
      const field = ship.fields.get('secret') as never
      const teams = await decisions.teams(callOf(1), ship)
      expect([mayWrite(callOf(1), field, { crew_id: 4 }, teams), mayWrite(callOf(1), field, { crew_id: 4 })]).to.deep.equal([
        true,
        false,
      ])
      expect(mayReadEverywhere(callOf(1), field)).to.equal(false)
    })

    it('asks for the teams once a call, and only where some team is meant', async () => {
      let asked = 0
      const decisions = createDecisions(undefined, async () => {
        asked += 1
        return [7]
      })
      const call = callOf(1)
      for (let time = 0; time < 3; time++) await decisions.decide(call, 'update', ship, { id: 1, crew_id: 7 })
      await decisions.teams(call, ship)
      expect(asked).to.equal(1)
      await decisions.decide(call, 'create', type, null)
      await decisions.teams(callOf(null), ship)
      expect(asked).to.equal(1)
    })
  })

  describe('with the say of the host', () => {
    const ask = (authorize: Authorize) => createDecisions(authorize)

    it('is what the host answers, which knows our own answer', async () => {
      const asked: unknown[] = []
      const decisions = ask(async ({ call, action, type, row }, decide) => {
        asked.push([call.actor?.id, action, type, row, decide()])
        return !decide()
      })
      await decisions.decide(callOf(1), 'update', type, { id: 5 })
      expect(await errorOf(decisions.decide(callOf(1, 'specialist'), 'update', type, { id: 5 }))).to.be.instanceOf(Forbidden)
      expect(asked).to.deep.equal([
        [1, 'update', 'thing', { id: 5 }, false],
        [1, 'update', 'thing', { id: 5 }, true],
      ])
    })

    it('covers all fields where only the host says yes, and those of the grants where they apply', async () => {
      const decisions = ask(() => true)
      expect(await decisions.fields(callOf(1), 'update', type, { id: 5 })).to.equal('all')
      expect([...(await decisions.fields(callOf(1, 'auditor'), 'update', type, { id: 5 }))]).to.deep.equal(['note'])
    })

    it('is an error when it is neither yes nor no', async () => {
      for (const answer of [undefined, null, 1, 'yes', {}]) {
        const error = await errorOf(ask(() => answer as never).decide(callOf(1), 'update', type, { id: 5 }))
        expect(error).to.be.instanceOf(HookFailed)
        expect(error.message).to.match(/^The host.s authorize for thing.update failed: it must return true or false, not /)
      }
    })

    it('names the place when it fails, and passes a Forbidden on', async () => {
      const broken = ask(() => {
        throw new Error('no directory')
      })
      expect((await errorOf(broken.decide(callOf(1), 'read', type, null))).message).to.equal(
        "The host's authorize for thing.read failed: no directory",
      )
      const strict = ask(() => {
        throw new Forbidden('Office hours only')
      })
      expect((await errorOf(strict.decide(callOf(1), 'read', type, null))).message).to.equal('Office hours only')
    })
  })
})

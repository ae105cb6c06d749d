import { expect } from 'chai'
import { withSubRecords } from '../../../plugin/access/tokens/token-limits.js'
import type { Call, CallToken } from '../../../plugin/core/call.js'
import { Forbidden, NotFound } from '../../../plugin/core/errors.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('a token with limits', () => {
  // A host that would allow everything cannot widen a token.
  const house = withHouse({ authorize: () => true })
  let ann = 0
  let team = 0
  let person = 0
  let request = 0
  let problem = 0
  const call = async (limits: { readonly readOnly?: boolean; readonly types?: readonly string[] }): Promise<Call> => {
    const token: CallToken = {
      ...{ id: 1, kind: 'personal', clientId: null, name: 'spec', readOnly: limits.readOnly ?? false },
      recordTypes: limits.types ? withSubRecords(house.catalog, limits.types) : null,
    }
    return { ...(await house.by(ann)), token }
  }
  const isForbidden = async (work: Promise<unknown>) => expect(await errorOf(work)).to.be.instanceOf(Forbidden)
  const isMissing = async (work: Promise<unknown>) => expect(await errorOf(work)).to.be.instanceOf(NotFound)
  const list = (by: Call, type: string, more: object = {}) => house.operations.list(by, type, { parameters: [], ...more })
  const ops = () => house.operations

  before(async () => {
    ann = await house.addPerson('Ann', ['account_owner', 'specialist', 'auditor', 'problem_manager'])
    person = await house.addPerson('Una')
    team = await house.add('team', { name: 'Desk', member_ids: [ann] })
    const by = await house.by(ann)
    const body = { subject: 'Printer', category: 'other', team_id: team, requested_by_id: person, note: 'smoke' }
    request = Number((await ops().save(by, 'request', null, body))['id'])
    const provider = await house.add('organization', { name: 'IT' })
    const service = await house.add('service', { name: 'Printing', provider_id: provider })
    const ofProblem = { service_id: service, subject: 'Printers', team_id: team, manager_id: ann, impact: 'low', note: 'fire' }
    problem = Number((await ops().save(by, 'problem', null, ofProblem))['id'])
  })

  it('that may only read reads everything and changes nothing', async () => {
    const by = await call({ readOnly: true })
    expect((await list(by, 'request')).items).to.have.length(1)
    await ops().read(by, 'problem', problem)
    await isForbidden(ops().save(by, 'request', null, { subject: 'New', category: 'other' }))
    await isForbidden(ops().save(by, 'request', request, { subject: 'Other' }))
    await isForbidden(ops().save(by, 'note', null, { text: 'more' }, { type: 'request', id: request }))
    await isForbidden(ops().link(by, { type: 'team', id: team }, 'members', person))
    await isForbidden(ops().unlinkAll(by, { type: 'team', id: team }, 'members'))
    await isForbidden(house.permissions.add(by, person, 'acme', ['auditor']))
    await isForbidden(house.permissions.revokeAll(by, ann))
  })

  it('to a record type reads and changes records of that type', async () => {
    const by = await call({ types: ['request'] })
    expect((await list(by, 'request')).items).to.have.length(1)
    await ops().save(by, 'request', request, { subject: 'Printers' })
    const made = await ops().save(by, 'request', null, { subject: 'New', category: 'other', requested_for_id: person })
    expect(made['requested_for_id']).to.equal(person)
  })

  it('to a record type finds no other: lists, single records, nested and special lists, links', async () => {
    const by = await call({ types: ['request'] })
    await isForbidden(list(by, 'problem'))
    await isForbidden(list(by, 'problem', { list: 'open' }))
    await isForbidden(ops().read(by, 'problem', problem))
    await isForbidden(ops().save(by, 'problem', null, { subject: 'x' }))
    await isForbidden(ops().save(by, 'problem', problem, { subject: 'x' }))
    await isForbidden(list(by, 'team', { within: { type: 'request', id: request, path: 'cis' } }))
    await isForbidden(list(by, 'request', { within: { type: 'problem', id: problem, path: 'requests' } }))
    await isForbidden(ops().link(by, { type: 'problem', id: problem }, 'requests', request))
    await isForbidden(
      list(await call({ types: ['problem'] }), 'request', { within: { type: 'problem', id: problem, path: 'requests' } }),
    )
    await isForbidden(ops().link(await call({ types: ['problem'] }), { type: 'problem', id: problem }, 'requests', request))
    await isForbidden(ops().find(by, 'person', [], 10))
    await isForbidden(house.permissions.list(by, ann))
    await isForbidden(house.permissions.add(by, person, 'acme', ['auditor']))
  })

  it('to a record type sees the notes and audit lines of these records only', async () => {
    const by = await call({ types: ['request'] })
    const notes = (await list(by, 'note')).items.map(({ text }) => text)
    expect(notes).to.include('smoke').and.not.include('fire')
    const all = (await list(await house.by(ann), 'note')).items
    expect(all.map(({ text }) => text)).to.include('fire')
    const fire = Number(all.find(({ text }) => text === 'fire')?.['id'])
    await isMissing(ops().read(by, 'note', fire))
    await isForbidden(list(by, 'note', { within: { type: 'problem', id: problem, path: 'notes' } }))
    await isForbidden(ops().save(by, 'note', null, { text: 'more' }, { type: 'problem', id: problem }))
    await isForbidden(list(by, 'audit_line', { within: { type: 'problem', id: problem, path: 'audit' } }))
    expect(
      (await list(by, 'audit_line', { within: { type: 'request', id: request, path: 'audit' } })).items,
    ).to.not.have.length(0)
    const audited = (await list(by, 'audit_line')).items.map((line) => JSON.stringify(line))
    expect(audited.some((line) => line.includes('"request"'))).to.equal(true)
    expect(audited.filter((line) => /"(problem|person|team)":\{"id"/.test(line))).to.deep.equal([])
  })

  it('shows references to records of other types as usual', async () => {
    const shown = await ops().read(await call({ types: ['request'] }), 'request', request)
    expect(shown).to.deep.equal(await ops().read(await house.by(ann), 'request', request))
    expect(shown['team']).to.include({ id: team, name: 'Desk' })
  })

  it('to webhooks may read them; they would report records of all types, also when the token has ended', async () => {
    const body = { name: 'all', event: 'request.create', uri: 'https://hook.example/in' }
    const id = Number((await ops().save(await house.by(ann), 'webhook', null, body))['id'])
    const by = await call({ types: ['webhook', 'request'] })
    await ops().read(by, 'webhook', id)
    await isForbidden(ops().save(by, 'webhook', null, body))
    await isForbidden(ops().save(by, 'webhook', id, { uri: 'https://other.example/in' }))
    await isForbidden(ops().remove(by, 'webhook', id))
    await ops().save(await call({}), 'webhook', id, { name: 'renamed' })
  })

  it('does not limit what rules do on behalf of the call', async () => {
    const by = await call({ types: ['request'] })
    await ops().save(by, 'request', request, { note: 'a note of the request', status: 'in_progress', member_id: ann })
    const notes = (await list(by, 'note', { within: { type: 'request', id: request, path: 'notes' } })).items
    expect(notes.map(({ text }) => text)).to.include('a note of the request')
  })

  it('opens sub-records at any depth, of the named types alone', () => {
    const names = withSubRecords(house.catalog, ['service'])
    expect([...names]).to.include.members(['service', 'service_translation', 'attachment', 'audit_line'])
    expect([...names]).to.not.include.members(['request'])
    expect(names.has('note')).to.equal(false)
    expect(withSubRecords(house.catalog, ['request']).has('note')).to.equal(true)
  })
})

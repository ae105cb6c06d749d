import { expect } from 'chai'
import type { Call } from '../../plugin/core/call.js'
import { detect, outboxEvents, type Saved } from '../../plugin/events/detect.js'
import { eventCatalog } from '../support/webhooks.js'

const catalog = eventCatalog()
const BEFORE = {
  id: 219,
  account_id: 'acme',
  status: 'declared',
  subject: 'Printer',
  team_id: 3,
  member_id: null,
  manager_id: 1,
}

function saved(typeName: string, changes: Partial<Saved>): Saved {
  return { type: catalog.type(typeName), before: BEFORE, after: BEFORE, changedColumns: [], noteIds: [], ...changes }
}

function verbs(typeName: string, changes: Partial<Saved>): string[] {
  return detect(saved(typeName, changes)).map(({ verb }) => verb)
}

describe('detecting events', () => {
  it('finds delete after update when the flag of a removal is set, and no delete when it is taken back', () => {
    const type = { ...catalog.type('person'), softDeleteField: 'disabled', events: new Set(['update', 'delete'] as const) }
    const columns = new Map([...type.columns, ['disabled', catalog.type('person').columns.get('name')] as never])
    const verbsOf = (disabled: boolean) =>
      detect({
        type: { ...type, columns },
        before: { ...BEFORE, disabled: !disabled },
        after: { ...BEFORE, disabled },
        changedColumns: ['disabled'],
        noteIds: [],
      }).map(({ verb }) => verb)
    expect(verbsOf(true)).to.deep.equal(['update', 'delete'])
    expect(verbsOf(false)).to.deep.equal(['update'])
  })

  it('finds one create for a new record, with its first note and status', () => {
    expect(verbs('request', { before: null, changedColumns: ['status', 'team_id'], noteIds: [5] })).to.deep.equal(['create'])
  })

  it('finds nothing in a save without any change', () => {
    expect(verbs('request', {})).to.deep.equal([])
  })

  it('does not take updated_at for a change', () => {
    expect(verbs('request', { changedColumns: ['updated_at'] })).to.deep.equal([])
  })

  it('does not take columns that hold no field for a change', () => {
    expect(verbs('request', { changedColumns: ['account_id'] })).to.deep.equal([])
  })

  it('finds update when a stored field changed', () => {
    expect(verbs('request', { changedColumns: ['subject', 'updated_at'] })).to.deep.equal(['update'])
  })

  it('finds note-added without update for a note alone, once for each note', () => {
    expect(detect(saved('request', { noteIds: [5, 6] }))).to.deep.equal([
      { verb: 'note-added', related: { note: 5 } },
      { verb: 'note-added', related: { note: 6 } },
    ])
  })

  it('puts update first and the special verbs in the order of the specification', () => {
    const changedColumns = ['manager_id', 'member_id', 'team_id', 'status']
    expect(verbs('problem', { changedColumns, noteIds: [5] })).to.deep.equal([
      'update',
      'note-added',
      'status-changed',
      'team-changed',
      'member-changed',
      'manager-changed',
    ])
  })

  it('finds only verbs that the type has', () => {
    expect(verbs('request', { changedColumns: ['manager_id', 'status'] })).to.deep.equal(['update', 'status-changed'])
    expect(verbs('person', { changedColumns: ['name', 'status'], noteIds: [5] })).to.deep.equal(['update'])
  })

  it('keeps the status before the change', () => {
    const found = detect(saved('request', { changedColumns: ['status'], after: { ...BEFORE, status: 'assigned' } }))
    expect(found).to.deep.equal([{ verb: 'update' }, { verb: 'status-changed', previousStatus: 'declared' }])
  })
})

describe('the outbox rows of a save', () => {
  const at = new Date('2026-11-21T09:00:00Z')
  const ines = { actor: { id: 7, name: 'Ines' } } as Call

  it('carry the state of the record, without what is empty', () => {
    const after = { ...BEFORE, status: 'assigned', source: 'HR', sourceID: '', member_id: 9 }
    const rows = outboxEvents(ines, saved('request', { after, changedColumns: ['status'], noteIds: [5] }), 31, at)
    expect(rows).to.deep.equal([
      {
        event: 'request.update',
        recordType: 'request',
        recordId: 219,
        accountId: 'acme',
        personId: 7,
        personName: 'Ines',
        auditLineId: 31,
        snapshot: { status: 'assigned', source: 'HR', team_id: 3, member_id: 9 },
        at,
      },
      { ...rows[0], event: 'request.note-added', auditLineId: null, snapshot: { ...rows[0]?.snapshot, note_id: 5 } },
      { ...rows[0], event: 'request.status-changed', snapshot: { ...rows[0]?.snapshot, previous_status: 'declared' } },
    ])
  })

  it('leave the person empty for what the service does by itself', () => {
    const [row] = outboxEvents({ actor: null } as Call, saved('request', { before: null }), null, at)
    expect(row).to.include({ personId: null, personName: '', auditLineId: null })
  })

  it('have no status and no team for types without them', () => {
    const [row] = outboxEvents(ines, saved('person', { changedColumns: ['name'] }), 31, at)
    expect(row?.snapshot).to.deep.equal({})
  })
})

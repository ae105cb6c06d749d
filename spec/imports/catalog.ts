/** Record types for import specs, in tables of their own: what imports do must not depend on ours. */
import { AS_CALLER, type Call } from '../../plugin/core/call.js'
import { compile } from '../../plugin/schema/compile/compile.js'
import { boolean, date, datetime, decimal, integer, json, oneOf, ref, string, text } from '../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../plugin/schema/language/define-record.js'

const plain = { fields: 'id', sort: 'id', filterable: 'id' } as const
const access = { create: ['account_administrator'], update: ['account_administrator'] } as const
const source = { source: string(30), sourceID: string(128) }

const place = defineRecord('place', {
  path: 'places',
  fields: { id: integer({ readOnly: true }), ...source, name: string(80, { required: true }), parent: ref('place') },
  collection: plain,
  access,
  unique: [['name']],
  import: {
    type: 'places',
    order: 1,
    columns: [
      { header: 'Name', field: 'name' },
      { header: 'Parent', field: 'parent' },
    ],
  },
})

const crew = defineRecord('crew', {
  path: 'crew',
  fields: {
    id: integer({ readOnly: true }),
    ...source,
    name: string(128, { required: true }),
    primary_email: string(128, { required: true, format: 'email' }),
    place: ref('place'),
    manager: ref('crew'),
    disabled: boolean({ default: false }),
    vip: boolean(),
    rank: oneOf(['low', 'high'], { default: 'low' }),
    born: date(),
    seen_at: datetime(),
    cost: decimal(),
    age: integer(),
    effort: integer({ unit: 'minutes' }),
    remarks: text(),
    custom_data: json(),
    created_by: string(30, { readOnly: true }),
  },
  collection: plain,
  access,
  unique: [['primary_email']],
  import: {
    type: 'crew',
    order: 2,
    key: 'primary_email',
    columns: [
      { header: 'Primary Email', field: 'primary_email' },
      { header: 'Name', field: 'name' },
      { header: 'Place', field: 'place' },
      { header: 'Manager', field: 'manager' },
      { header: 'Disabled', field: 'disabled' },
      { header: 'VIP', field: 'vip' },
      { header: 'Rank', field: 'rank' },
      { header: 'Remarks', field: 'remarks' },
      { header: 'Created By', field: 'created_by' },
    ],
    ignored: ['Active Things'],
  },
})

const squad = defineRecord('squad', {
  path: 'squads',
  fields: {
    id: integer({ readOnly: true }),
    ...source,
    name: string(128, { required: true }),
    coordinator: ref('crew'),
    mailbox: string(64),
  },
  collection: plain,
  links: { members: { record: 'crew', table: 'squad_members', from: 'squad_id', to: 'crew_id' } },
  access,
  unique: [['mailbox'], ['name']],
  import: {
    type: 'squads',
    order: 3,
    columns: [
      { header: 'Name', field: 'name' },
      { header: 'Coordinator', field: 'coordinator' },
      { header: 'Members', field: 'members' },
    ],
  },
})

const job = defineRecord('job', {
  path: 'jobs',
  title: 'subject',
  fields: { id: integer({ readOnly: true }), subject: string(255) },
  collection: plain,
  access,
})

export const catalog = compile([place, crew, squad, job], [])

/** An import call of an account administrator. */
export function importCall(changes: Partial<Call> = {}): Call {
  return {
    actor: {
      id: 7,
      name: 'Ines',
      email: 'ines@widgets.example',
      accountId: 'acme',
      locale: 'en-US',
      timeZone: 'UTC',
      organizationId: 1,
    },
    roles: new Set(['account_administrator']),
    account: {
      id: 'acme',
      name: 'Acme',
      locale: 'en-US',
      timeZone: 'UTC',
      organizationId: 1,
      directoryAccountId: null,
    },
    ...AS_CALLER,
    trusted: ['partner'],
    language: 'en-US',
    zone: 'UTC',
    origin: 'import',
    source: 'import',
    now: '2026-11-21T09:30:00Z',
    requestId: 'import',
    ...changes,
  }
}

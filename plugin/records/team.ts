import { mustBeLinked } from '../rules/general/must-be-linked.js'
import { renews } from '../rules/general/renews.js'
import { coordinatorOfMembers } from '../rules/people/coordinator.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, parts, picture, ref, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import { timeZone } from './shared-values.js'

/** Record type `team` (behaviour: Teams). */
export const team = defineRecord('team', {
  path: 'teams',
  fields: {
    ...identity,
    ...provenance,
    name: string(128, { required: true }),
    disabled: boolean({ default: false }),
    manager: ref('person'),
    coordinator: ref('person'),
    configuration_manager: ref('person'),
    inbound_email_local_part: string(64),
    time_zone: timeZone(),
    work_hours: ref('calendar'),
    remarks: text(),
    picture_uri: picture(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name created_at updated_at',
    sort: 'name',
    filterable: { also: 'source disabled' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  links: { members: { record: 'person', table: 'team_members', from: 'team_id', to: 'person_id' } },
  children: { service_instances: { record: 'service_instance', by: 'support_team' } },
  access: {
    publicTitle: true,
    create: ['account_administrator'],
    update: ['account_administrator', { person: 'manager' }, { person: 'coordinator' }],
  },
  settle: [coordinatorOfMembers],
  rules: [
    mustBeLinked('coordinator', { by: 'members', code: 'coordinator_not_member' }),
    renews('task', { on: ['time_zone', 'work_hours'], of: ['team'] }),
  ],
  events: ['create', 'update'],
  unique: [['name'], ['inbound_email_local_part']],
  import: {
    type: 'teams',
    order: 9,
    columns: [
      'Disabled',
      'Name',
      'Coordinator',
      'Manager',
      'Configuration Manager',
      'Remarks',
      'Work Hours',
      'Time Zone',
      'Members',
      'Inbound Email Local Part',
    ],
    ignored: ['Agile Board'],
  },
})

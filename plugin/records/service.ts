import { not } from '../schema/conditions.js'
import { defineRecord } from '../schema/define-record.js'
import type { Grant } from '../schema/fields.js'
import { boolean, datetime, integer, oneOf, parts, ref, string, text } from '../schema/fields.js'
import { IMPACTS, timeZone } from './shared-values.js'

const SERVICE_MAINTAINERS: readonly Grant[] = ['service_level_manager', 'account_administrator']

/** Gaps 6.3. */
export const service = defineRecord('service', {
  path: 'services',
  reference: ['localized_name', 'provider'],
  fields: {
    id: integer({ readOnly: true }),
    source: string(30),
    sourceID: string(128),
    name: string(80, { required: true }),
    localized_name: string(255, { readOnly: true, localizes: 'name' }),
    provider: ref('organization', { required: true }),
    disabled: boolean({ default: false }),
    description: text(),
    localized_description: text({ readOnly: true, localizes: 'description' }),
    service_owner: ref('person'),
    change_manager: ref('person'),
    problem_manager: ref('person'),
    release_manager: ref('person'),
    availability_manager: ref('person'),
    capacity_manager: ref('person'),
    continuity_manager: ref('person'),
    knowledge_manager: ref('person'),
    first_line_team: ref('team'),
    support_team: ref('team'),
    impact: oneOf(IMPACTS, { readOnly: true }),
    picture_uri: string(1024),
    created_at: datetime({ readOnly: true }),
    updated_at: datetime({ readOnly: true }),
  },
  collection: {
    fields: ['id', 'sourceID', 'name', 'provider', 'support_team', 'created_at', 'updated_at'],
    sort: 'name',
    sortable: 'same',
    filterable: ['id', 'source', 'sourceID', 'name', 'disabled', 'provider', 'support_team', 'created_at', 'updated_at'],
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  children: { service_instances: { record: 'service_instance', by: 'service' } },
  access: { create: SERVICE_MAINTAINERS, update: SERVICE_MAINTAINERS },
  events: ['create', 'update'],
  unique: [['name']],
})

/** Gaps 6.4. */
export const serviceInstance = defineRecord('service_instance', {
  path: 'service_instances',
  fields: {
    id: integer({ readOnly: true }),
    source: string(30),
    sourceID: string(128),
    name: string(80, { required: true }),
    service: ref('service', { required: true }),
    status: oneOf(['being_prepared', 'in_production', 'discontinued'], { default: 'being_prepared' }),
    first_line_team: ref('team'),
    support_team: ref('team'),
    impact: oneOf(IMPACTS, { readOnly: true }),
    maintenance_window: ref('calendar'),
    time_zone: timeZone(),
    remarks: text(),
    picture_uri: string(1024),
    attachments: parts('attachment', { readOnly: true, whenPresent: true }),
    created_at: datetime({ readOnly: true }),
    updated_at: datetime({ readOnly: true }),
  },
  collection: {
    fields: ['id', 'sourceID', 'name', 'status', 'service', 'support_team', 'created_at', 'updated_at'],
    sort: 'name',
    sortable: 'same',
    filterable: ['id', 'source', 'sourceID', 'name', 'status', 'service', 'support_team', 'created_at', 'updated_at'],
  },
  lists: { active: { status: not('discontinued') }, inactive: { status: 'discontinued' } },
  access: { create: SERVICE_MAINTAINERS, update: SERVICE_MAINTAINERS },
  events: ['create', 'update'],
  unique: [['name']],
})

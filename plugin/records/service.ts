import { fillFrom } from '../rules/general/fill-from.js'
import { mirrored } from '../rules/general/mirrored.js'
import { renews } from '../rules/general/renews.js'
import { passesImpact } from '../rules/service-levels/passes-impact.js'
import { renewsAbove } from '../rules/service-levels/renews-above.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, oneOf, oneOfList, parts, picture, ref, string, text } from '../schema/kinds/fields.js'
import { not } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Rule } from '../schema/language/define-rule.js'
import { IMPACTS, SERVICE_MAINTAINERS, timeZone } from './shared-values.js'
import { attachmentsOfTexts, translationOf } from './translation.js'

/** Record type `service` (behaviour: Services). */
export const service = defineRecord('service', {
  path: 'services',
  reference: ['localized_name', 'provider'],
  fields: {
    ...identity,
    ...provenance,
    name: string(80, { required: true }),
    localized_name: string(255, { derived: { from: 'name', as: 'translation' } }),
    provider: ref('organization', { required: true }),
    disabled: boolean({ default: false }),
    description: text(),
    localized_description: text({ derived: { from: 'description', as: 'translation' } }),
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
    picture_uri: picture(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name provider support_team created_at updated_at',
    sort: 'name',
    filterable: { also: 'source disabled' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  children: {
    service_instances: { record: 'service_instance', by: 'service' },
    service_offerings: { record: 'service_offering', by: 'service' },
    slas: { record: 'sla', by: 'service_offering.service' },
    request_templates: { record: 'request_template', by: 'service' },
    change_templates: { record: 'change_template', by: 'service' },
  },
  parts: ['service_translation'],
  access: { publicTitle: true, create: SERVICE_MAINTAINERS, update: SERVICE_MAINTAINERS },
  events: ['create', 'update'],
  unique: [['name']],
  rules: [renews('affected_sla', { on: ['support_team', 'provider'], of: ['service_instance.service'] })],
  import: {
    type: 'services',
    order: 12,
    columns: [
      'Disabled',
      'Name',
      'Description',
      'Provider',
      'First Line Team',
      'Support Team',
      'Service Owner',
      'Release Manager',
      'Change Manager',
      'Knowledge Manager',
      'Problem Manager',
      'Availability Manager',
      'Capacity Manager',
      'Continuity Manager',
    ],
    ignored: ['Keywords'],
  },
})

export const serviceTranslation = translationOf('service', {
  fields: { name: string(255), description: text(), attachments: attachmentsOfTexts },
  maintainers: SERVICE_MAINTAINERS,
})

/** Record type `service_instance` (behaviour: Service instances). */
export const serviceInstance = defineRecord('service_instance', {
  path: 'service_instances',
  fields: {
    ...identity,
    ...provenance,
    name: string(80, { required: true }),
    service: ref('service', { required: true }),
    status: oneOf(['being_prepared', 'in_production', 'discontinued'], { default: 'being_prepared' }),
    first_line_team: ref('team'),
    support_team: ref('team'),
    impact: oneOf(IMPACTS, { readOnly: true }),
    maintenance_window: ref('calendar'),
    time_zone: timeZone(),
    remarks: text(),
    picture_uri: picture(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name status service support_team created_at updated_at',
    sort: 'name',
    filterable: { also: 'source' },
  },
  lists: { active: { status: not('discontinued') }, inactive: { status: 'discontinued' } },
  links: {
    cis: { record: 'ci', table: 'ci_service_instances', from: 'service_instance_id', to: 'ci_id' },
  },
  children: { slas: { record: 'sla', by: 'service_instance' } },
  parts: ['child_service_instance', 'parent_service_instance'],
  access: { publicTitle: true, create: SERVICE_MAINTAINERS, update: SERVICE_MAINTAINERS },
  rules: [
    fillFrom('service', ['first_line_team', 'support_team']),
    passesImpact('service', {}),
    renews('affected_sla', { on: ['first_line_team', 'support_team', 'service'], of: ['service_instance'] }),
  ],
  events: ['create', 'update'],
  unique: [['name']],
  import: {
    type: 'service_instances',
    order: 14,
    columns: ['Status', 'Name', 'Service', 'First Line Team', 'Support Team', 'Remarks'],
  },
})

/**
 * A service instance that the owner is built on, and the effect on the owner when it is down (behaviour: Service instances).
 */
export const childServiceInstance = dependency('child_service_instance', 'parent_service_instance')
/** A service instance that is built on the owner: a `child_service_instance` from the other side. */
export const parentServiceInstance = dependency('parent_service_instance', 'child_service_instance', [
  renewsAbove('service_instance', { relation: 'impact_relation' }),
])

function dependency<const N extends string>(name: N, mirror: string, rules: readonly Rule<never>[] = []) {
  return defineRecord(name, {
    path: `${name}s`,
    title: null,
    partOf: ['service_instance'],
    fields: {
      ...identity,
      impact_relation: oneOfList('service_instance.impact_relation', ['down', 'degraded'], { required: true }),
      service_instance: ref('service_instance', { required: true }),
    },
    collection: {
      fields: 'id impact_relation service_instance',
      sort: 'service_instance',
    },
    access: { create: SERVICE_MAINTAINERS, update: SERVICE_MAINTAINERS, remove: SERVICE_MAINTAINERS },
    rules: [mirrored('service_instance', { relation: 'impact_relation', record: mirror }), ...rules],
    unique: [['service_instance']],
    audit: false,
  })
}

import { agreesWithOwner, agreesWithParts } from '../rules/general/agrees-with-owner.js'
import { renews } from '../rules/general/renews.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { float, integer, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import { SERVICE_MAINTAINERS, STAFF, timeZone } from './shared-values.js'

const FREQUENCIES = [
  'daily',
  'weekly',
  'once_every_2_weeks',
  'monthly',
  'once_every_2_months',
  'quarterly',
  'once_every_6_months',
  'yearly',
  'once_every_2_years',
  'no_commitment',
] as const

/** Statuses that people can choose from (behaviour: Predefined filters). */
const CATALOG = { status: ['available', 'temporarily_unavailable'] } as const

const MINUTES = { minimum: 0, unit: 'minutes' } as const
/** Fields that affected SLAs copy. */
const PROMISED = [
  ...['service_hours', 'support_hours_low', 'support_hours_medium', 'support_hours_high', 'support_hours_top', 'time_zone'],
  ...['response_target_low', 'response_target_medium', 'response_target_high', 'response_target_top'],
  ...['resolution_target_low', 'resolution_target_medium', 'resolution_target_high', 'resolution_target_top'],
] as const

/** The affected SLAs of an offering are those of its agreements. */
const OF_OFFERING = { of: ['sla.service_offering'] } as const

const PERCENT = { minimum: 0, maximum: 100, unit: 'percent' } as const

/** People who only use services see what the catalog offers them (spec, Service offering; behaviour: Service offerings). */
export const serviceOffering = defineRecord('service_offering', {
  path: 'service_offerings',
  fields: {
    ...identity,
    ...provenance,
    availability: float(PERCENT),
    charges: text(),
    continuity: text(),
    limitations: text(),
    maximum_risk_of_data_loss: text(),
    offline_backup_schedule: text(),
    penalties: text(),
    performance: text(),
    prerequisites: text(),
    restore_duration: text(),
    summary: text(),
    termination: text(),
    name: string(80, { required: true }),
    reliability: integer({ minimum: 0 }),
    report_frequency: oneOf(FREQUENCIES, { default: 'no_commitment' }),
    review_frequency: oneOf(FREQUENCIES, { default: 'no_commitment' }),
    resolution_target_low: integer(MINUTES),
    resolution_target_medium: integer(MINUTES),
    resolution_target_high: integer(MINUTES),
    resolution_target_top: integer(MINUTES),
    response_target_low: integer(MINUTES),
    response_target_medium: integer(MINUTES),
    response_target_high: integer(MINUTES),
    response_target_top: integer(MINUTES),
    resolutions_within_target: integer(PERCENT),
    responses_within_target: integer(PERCENT),
    service: ref('service', { required: true }),
    service_hours: ref('calendar'),
    support_hours_low: ref('calendar'),
    support_hours_medium: ref('calendar'),
    support_hours_high: ref('calendar'),
    support_hours_top: ref('calendar'),
    status: oneOf(['planned', 'unpublished', 'available', 'temporarily_unavailable', 'discontinued'], { default: 'planned' }),
    time_zone: timeZone(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name status service created_at updated_at',
    sort: 'name',
    filterable: { also: 'source' },
  },
  lists: { catalog: CATALOG, portfolio: {} },
  children: { slas: { record: 'sla', by: 'service_offering' } },
  parts: ['standard_service_request'],
  access: { see: { roles: STAFF, otherwise: CATALOG }, create: SERVICE_MAINTAINERS, update: SERVICE_MAINTAINERS },
  rules: [
    agreesWithParts('service', {
      part: 'standard_service_request',
      by: { field: 'request_template', record: 'request_template' },
    }),
    renews('affected_sla', { on: PROMISED, ...OF_OFFERING }),
  ],
  events: ['create', 'update'],
  unique: [['name']],
  partImports: [
    {
      type: 'standard_service_requests',
      order: 30,
      owner: { header: 'Service Offering', field: 'name' },
      parts: {
        standard_service_requests: {
          columns: [
            { header: 'Request Template', field: 'request_template' },
            { header: 'Response Target', field: 'response_target' },
            { header: 'Resolution Target', field: 'resolution_target' },
            { header: 'Support Hours', field: 'support_hours' },
          ],
          key: ['request_template'],
        },
      },
    },
  ],
  import: {
    type: 'service_offerings',
    order: 15,
    columns: [
      'Status',
      'Name',
      'Service',
      'Summary',
      'Service Hours',
      'Time Zone',
      'Availability',
      'Reliability',
      'Performance',
      'Continuity',
      'Restore Duration',
      'Maximum Risk Of Data Loss',
      'Offline Backup Schedule',
      'Prerequisites',
      'Limitations',
      'Charges',
      'Penalties',
      'Termination',
      'Report Frequency',
      'Review Frequency',
      'Response Target Top',
      'Resolution Target Top',
      'Support Hours Top',
      'Response Target High',
      'Resolution Target High',
      'Support Hours High',
      'Response Target Medium',
      'Resolution Target Medium',
      'Support Hours Medium',
      'Response Target Low',
      'Resolution Target Low',
      'Support Hours Low',
      'Responses Within Target',
      'Resolutions Within Target',
    ],
  },
})

/** Targets for requests of one template that differ from those of the offering (behaviour: Service offerings). */
export const standardServiceRequest = defineRecord('standard_service_request', {
  path: 'standard_service_requests',
  title: null,
  partOf: ['service_offering'],
  fields: {
    ...identity,
    request_template: ref('request_template', { required: true }),
    response_target: integer(MINUTES),
    resolution_target: integer(MINUTES),
    support_hours: ref('calendar'),
    ...times,
  },
  collection: {
    sort: '-id',
    sortable: 'id created_at updated_at',
    filterable: 'id request_template created_at updated_at',
  },
  access: { create: SERVICE_MAINTAINERS, update: SERVICE_MAINTAINERS, remove: SERVICE_MAINTAINERS },
  rules: [
    agreesWithOwner('request_template', { in: 'service', code: 'other_service' }),
    renews('affected_sla', { from: { record: 'service_offering', column: 'owner_id' }, ...OF_OFFERING }),
  ],
  unique: [['request_template']],
  audit: false,
})

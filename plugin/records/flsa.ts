import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { integer, parts, ref, string, text } from '../schema/kinds/fields.js'
import { me } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { AGREEMENT_LISTS, agreementDates, agreementRules, agreementStatus, agreementTimers } from './agreement.js'
import { SERVICE_MAINTAINERS, STAFF, timeZone } from './shared-values.js'

const PERCENT = { minimum: 0, maximum: 100, unit: 'percent' } as const

/** First line support agreement (behaviour: First line support agreements). */
export const flsa = defineRecord('flsa', {
  path: 'flsas',
  fields: {
    ...identity,
    ...provenance,
    name: string(128, { required: true }),
    provider: ref('organization', { required: true }),
    customer: ref('organization', { required: true }),
    customer_rep: ref('person'),
    service_desk_team: ref('team'),
    status: agreementStatus(),
    ...agreementDates,
    support_hours: ref('calendar'),
    time_zone: timeZone(),
    first_call_resolutions: integer(PERCENT),
    rejected_solutions: integer(PERCENT),
    pickup_target: integer({ minimum: 0, unit: 'minutes' }),
    pickups_within_target: integer(PERCENT),
    service_desk_resolutions: integer(PERCENT),
    service_desk_only_resolutions: integer(PERCENT),
    target_details: text(),
    charges: text(),
    remarks: text(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'provider id sourceID name status created_at updated_at',
    sort: 'name',
    filterable: { also: 'source' },
  },
  lists: AGREEMENT_LISTS,
  access: {
    see: { roles: STAFF, otherwise: { customer_rep: me } },
    create: SERVICE_MAINTAINERS,
    update: SERVICE_MAINTAINERS,
  },
  timers: agreementTimers({ time_zone: null }),
  rules: agreementRules('time_zone'),
  events: ['create', 'update'],
  unique: [['name']],
  import: {
    type: 'first_line_support_agreements',
    order: 17,
    columns: [
      'Status',
      'Name',
      'Customer',
      { header: 'Customer Representative', field: 'customer_rep' },
      'Provider',
      'Service Desk Team',
      'Start Date',
      'Notice Date',
      'Expiry Date',
      'Support Hours',
      'Time Zone',
      'Pickup Target',
      'Pickups Within Target',
      'First Call Resolutions',
      'Service Desk Only Resolutions',
      'Service Desk Resolutions',
      'Rejected Solutions',
      'Target Details',
      'Charges',
      'Remarks',
    ],
  },
})

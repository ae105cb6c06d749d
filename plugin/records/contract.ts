import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { me } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { AGREEMENT_LISTS, agreementDates, agreementRules, agreementStatus, agreementTimers } from './agreement.js'
import { SERVICE_MAINTAINERS, STAFF, timeZone } from './shared-values.js'

/** Record type `contract` (behaviour: Contracts). */
export const contract = defineRecord('contract', {
  path: 'contracts',
  fields: {
    ...identity,
    ...provenance,
    name: string(128, { required: true }),
    category: oneOf(
      [
        'lease_contract',
        'maintenance_contract',
        'support_contract',
        'support_and_maintenance_contract',
        'other_type_of_contract',
      ],
      { required: true },
    ),
    status: agreementStatus(),
    supplier: ref('organization'),
    supplier_contact: ref('person'),
    customer: ref('organization'),
    customer_rep: ref('person'),
    ...agreementDates,
    time_zone: timeZone(),
    remarks: text(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name category status created_at updated_at',
    sort: 'name',
    filterable: { also: 'source supplier customer' },
  },
  lists: AGREEMENT_LISTS,
  links: { cis: { record: 'ci', table: 'contract_cis', from: 'contract_id', to: 'ci_id' } },
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
    type: 'contracts',
    order: 25,
    columns: [
      'Status',
      'Name',
      'Category',
      'Supplier',
      'Supplier Contact',
      'Customer',
      { header: 'Customer Representative', field: 'customer_rep' },
      'Start Date',
      'Notice Date',
      'Expiry Date',
      'Time Zone',
      'Remarks',
      { header: 'Configuration Items', field: 'cis' },
    ],
  },
})

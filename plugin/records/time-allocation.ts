import { ADMINISTRATORS, identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, oneOf, string } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import { translationOf } from './translation.js'

/** Customers or services that an entry may name: none, one of those linked to the allocation, or any. */
const CATEGORIES = ['none', 'selected', 'any'] as const

/** Record type `time_allocation` (spec, Time allocation; behaviour: Time allocations). */
export const timeAllocation = defineRecord('time_allocation', {
  path: 'time_allocations',
  fields: {
    ...identity,
    ...provenance,
    customer_category: oneOf(CATEGORIES, { default: 'none' }),
    // The specified default is not one of the values (behaviour: Settled defaults).
    description_category: oneOf(['hidden', 'optional', 'required'], { default: 'hidden' }),
    disabled: boolean({ default: false }),
    group: string(255),
    localized_group: string(255, { derived: { from: 'group', as: 'translation' } }),
    localized_name: string(255, { derived: { from: 'name', as: 'translation' } }),
    name: string(160, { required: true }),
    service_category: oneOf(CATEGORIES, { default: 'none' }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name localized_name group localized_group created_at updated_at',
    sort: 'name',
    sortable: { except: 'localized_name group localized_group' },
    filterable: { also: 'source disabled', except: 'localized_name group localized_group' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  links: {
    organizations: {
      record: 'organization',
      table: 'time_allocation_organizations',
      from: 'time_allocation_id',
      to: 'organization_id',
    },
    customers: {
      record: 'organization',
      table: 'time_allocation_customers',
      from: 'time_allocation_id',
      to: 'customer_id',
    },
    services: { record: 'service', table: 'time_allocation_services', from: 'time_allocation_id', to: 'service_id' },
  },
  parts: ['time_allocation_translation'],
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
  unique: [['name']],
  import: {
    type: 'time_allocations',
    order: 19,
    columns: [
      'Disabled',
      'Name',
      'Group',
      'Description Category',
      'Service Category',
      'Services',
      'Customer Category',
      'Customers',
    ],
    ignored: ['Default Effort Class'],
  },
})

/** Translations of time allocations (behaviour: Translations). */
export const timeAllocationTranslation = translationOf('time_allocation', {
  fields: { group: string(255), name: string(160) },
  maintainers: ADMINISTRATORS,
})

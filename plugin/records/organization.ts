import { noCycle } from '../rules/general/no-cycle.js'
import { renews } from '../rules/general/renews.js'
import { businessUnits } from '../rules/people/business-units.js'
import { ADMINISTRATORS, identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, json, parts, picture, ref, string, text } from '../schema/kinds/fields.js'
import {
  anyOf,
  directoryAccount,
  internalOrganizations,
  me,
  not,
  thisAccount,
  trustedAccounts,
} from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { renewal } from '../schema/language/define-timer.js'
import { CONTACT_DETAIL_COLUMNS } from './contact-details.js'
import { renewalMark } from './working-hours.js'

/** Record type `organization` (spec, Organization; behaviour: Organizations). */
export const organization = defineRecord('organization', {
  path: 'organizations',
  fields: {
    ...identity,
    ...provenance,
    addresses: parts('address', { readOnly: true }),
    business_unit: boolean({ default: false }),
    business_unit_organization: ref('organization', { readOnly: true }),
    contacts: parts('contact', { readOnly: true }),
    disabled: boolean({ default: false }),
    manager: ref('person'),
    name: string(128, { required: true }),
    parent: ref('organization'),
    picture_uri: picture(),
    region: string(128),
    remarks: text(),
    substitute: ref('person'),
    ui_extension: ref('ui_extension', { readOnly: true }),
    custom_data: json(),
    ...renewalMark,
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name parent manager created_at updated_at',
    sort: 'name',
    sortable: { except: 'parent manager' },
    filterable: { also: 'source disabled', except: 'manager' },
  },
  lists: {
    enabled: { disabled: false },
    disabled: { disabled: true },
    internal: { id: internalOrganizations },
    external: { id: not(internalOrganizations) },
    trusted: { account: trustedAccounts },
    directory: { account: directoryAccount },
    support_domain: { account: thisAccount },
    managed_by_me: anyOf({ manager: me }, { substitute: me }),
  },
  children: {
    children: { record: 'organization', by: 'parent' },
    people: { record: 'person', by: 'organization' },
    contracts: { record: 'contract', by: 'customer' },
    slas: { record: 'sla', by: 'customer' },
  },
  links: {
    time_allocations: {
      record: 'time_allocation',
      table: 'time_allocation_organizations',
      from: 'organization_id',
      to: 'time_allocation_id',
    },
  },
  parts: ['address', 'contact'],
  access: { publicTitle: true, create: ADMINISTRATORS, update: ADMINISTRATORS },
  timers: [renewal('renew_at', { while: { business_unit: true }, ofAccountOrganization: {} })],
  rules: [
    noCycle('parent'),
    businessUnits('renew_at'),
    renews('affected_sla', { on: ['parent'], below: 'parent', of: ['service_instance.service.provider'] }),
  ],
  events: ['create', 'update'],
  unique: [['name']],
  import: {
    type: 'organizations',
    order: 4,
    columns: [
      'Disabled',
      'Name',
      'Business Unit',
      'Business Unit Organization',
      'Region',
      { header: 'Parent Organization', field: 'parent' },
      'Manager',
      'Substitute',
      'Remarks',
      'UI Extension',
      'Custom Data',
    ],
    ignored: ['Financial ID'],
  },
  partImports: [
    {
      type: 'organizations_contact_details',
      order: 6,
      owner: { header: 'Organization', field: 'name' },
      ...CONTACT_DETAIL_COLUMNS,
    },
    {
      type: 'organizations_time_allocations',
      order: 20,
      owner: { header: 'Organization', field: 'name' },
      link: { header: 'Time Allocation', field: 'time_allocations' },
      parts: {},
    },
  ],
})

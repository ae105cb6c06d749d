import { setByImport } from '../rules/general/set-by-import.js'
import { ADMINISTRATORS, identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, json, oneOfList, parts, picture, ref, string, text } from '../schema/kinds/fields.js'
import { directoryAccount, thisAccount } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { COUNTRIES } from '../words/countries.js'
import { timeZone } from './shared-values.js'

/** A site has one address of its own, unlike people and organizations (behaviour: Sites). */
export const site = defineRecord('site', {
  path: 'sites',
  fields: {
    ...identity,
    ...provenance,
    name: string(80, { required: true }),
    disabled: boolean({ default: false }),
    address: text({ max: 1024 }),
    city: string(80),
    state: string(30),
    zip: string(20),
    country: oneOfList('countries', COUNTRIES),
    integration: boolean({ readOnly: true, default: false }),
    time_zone: timeZone(),
    remarks: text(),
    picture_uri: picture(),
    attachments: parts('attachment', { readOnly: true }),
    custom_data: json(),
    ui_extension: ref('ui_extension', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name created_at updated_at',
    sort: 'name',
    filterable: { also: 'source disabled' },
  },
  lists: {
    enabled: { disabled: false },
    disabled: { disabled: true },
    directory: { account: directoryAccount },
    support_domain: { account: thisAccount },
  },
  children: { people: { record: 'person', by: 'site' } },
  links: { slas: { record: 'sla', table: 'sla_sites', from: 'site_id', to: 'sla_id', write: 'none' } },
  access: { publicTitle: true, create: ADMINISTRATORS, update: ADMINISTRATORS },
  rules: [setByImport('integration', { of: ['address', 'city', 'state', 'zip', 'country'] })],
  unique: [['name']],
  import: {
    type: 'sites',
    order: 3,
    columns: ['Disabled', 'Name', 'Address', 'City', 'State', 'Zip', 'Country', 'Time Zone', 'Remarks', 'UI Extension'],
  },
})

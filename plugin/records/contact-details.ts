import { MAX_DIGITS } from '../core/text/telephone-digits.js'
import { keepDigits, labelsOfOwner, refuseWhile } from '../rules/people/contact-labels.js'
import { ADMINISTRATORS, identity } from '../schema/kinds/common-fields.js'
import { boolean, oneOf, oneOfList, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { PartImport } from '../schema/language/import-files.js'
import type { Grant } from '../schema/language/who.js'
import { COUNTRIES } from '../words/countries.js'

/** People maintain their own contacts (behaviour: People). */
const OWNER_OR_ADMINISTRATOR: readonly Grant[] = [...ADMINISTRATORS, 'self']

/**
 * The contact details of people and organizations in import files: a row has a contact, an address, or both
 * (behaviour: Import columns).
 */
export const CONTACT_DETAIL_COLUMNS: Pick<PartImport, 'parts' | 'replaces' | 'showsId'> = {
  parts: {
    contacts: {
      columns: [
        { header: 'Contact Protocol', field: 'protocol' },
        { header: 'Contact Label', field: 'label' },
        { header: 'Contact URI', field: 'uri' },
      ],
      key: ['protocol', 'label'],
    },
    addresses: {
      columns: [
        { header: 'Address Label', field: 'label' },
        { header: 'Address Address', field: 'address' },
        { header: 'Address City', field: 'city' },
        { header: 'Address State', field: 'state' },
        { header: 'Address Zip', field: 'zip' },
        { header: 'Address Country', field: 'country' },
      ],
      key: ['label'],
    },
  },
  replaces: { header: 'Integration', field: 'integration' },
  showsId: true,
}

/** Record type `address` (behaviour: Addresses and contacts). */
export const address = defineRecord('address', {
  path: 'addresses',
  title: null,
  partOf: ['person', 'organization'],
  fields: {
    ...identity,
    label: oneOf(['home', 'street', 'mailing', 'billing'], { required: true }),
    address: text({ max: 1024 }),
    city: string(128),
    state: string(30),
    zip: string(20),
    country: oneOfList('countries', COUNTRIES),
    integration: boolean({ readOnly: true, default: false }),
  },
  collection: {
    sort: 'label',
    sortable: 'id label',
    filterable: 'id label integration',
  },
  access: { create: OWNER_OR_ADMINISTRATOR, update: OWNER_OR_ADMINISTRATOR, remove: OWNER_OR_ADMINISTRATOR },
  rules: [
    labelsOfOwner({ person: ['home', 'mailing'], organization: ['mailing', 'street', 'billing'] }),
    refuseWhile('integration', { code: 'integration_locked' }),
  ],
  audit: false,
})

/**
 * Responses use the protocol as the name of the value (behaviour: Addresses and contacts): `{ label: 'work', telephone: '…' }`.
 */
export const contact = defineRecord('contact', {
  path: 'contacts',
  title: null,
  partOf: ['person', 'organization'],
  fields: {
    ...identity,
    protocol: oneOf(['telephone', 'email', 'website', 'chat'], { required: true, hidden: true }),
    label: oneOf(['general', 'service_desk', 'work', 'mobile', 'home', 'personal', 'fax', 'service_desk_fax'], {
      required: true,
    }),
    uri: string(255, { required: true, keyedBy: 'protocol' }),
    integration: boolean({ readOnly: true, default: false }),
    digits_reversed: string(MAX_DIGITS, { readOnly: true, hidden: true }),
  },
  collection: {
    sort: 'protocol label',
    sortable: 'id protocol label',
    filterable: { also: 'protocol', except: 'uri' },
  },
  access: { create: OWNER_OR_ADMINISTRATOR, update: OWNER_OR_ADMINISTRATOR, remove: OWNER_OR_ADMINISTRATOR },
  rules: [
    labelsOfOwner({
      person: ['work', 'mobile', 'home', 'personal', 'fax'],
      organization: ['general', 'service_desk', 'service_desk_fax', 'fax'],
    }),
    refuseWhile('integration', { code: 'integration_locked' }),
    keepDigits('digits_reversed', { of: 'uri', protocol: 'protocol' }),
  ],
  audit: false,
})

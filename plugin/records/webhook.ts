import { fallBackTo } from '../rules/general/fill.js'
import { keepsSecret } from '../rules/general/keeps-secret.js'
import { publicAddress } from '../rules/general/must-be-public.js'
import { clearWhen } from '../rules/general/stamp.js'
import { filtersEvents, firstOfEvents } from '../rules/general/subscriptions.js'
import { ADMINISTRATORS, identity, provenance, times } from '../schema/kinds/common-fields.js'
import {
  boolean,
  datetime,
  eventName,
  eventNames,
  headers,
  integer,
  oneOf,
  ref,
  secret,
  string,
  text,
} from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'

/**
 * Enabling a webhook again clears the last error; another table counts its failures (spec, Webhook management; behaviour:
 * Webhook management).
 */
export const webhook = defineRecord('webhook', {
  path: 'webhooks',
  operations: ['list', 'single', 'create', 'update', 'remove'],
  events: ['disabled', 'delete'],
  fields: {
    ...identity,
    ...provenance,
    name: string(255),
    event: eventName({ required: true }),
    events: eventNames(),
    filter: string(1024),
    except_person: ref('person'),
    uri: string(1024, { required: true, format: 'webhook_uri' }),
    content_type: oneOf(['form', 'json'], { default: 'form' }),
    payload: oneOf(['reference', 'snapshot', 'changes'], { default: 'reference' }),
    headers: headers(),
    max_per_minute: integer({ minimum: 1, maximum: 6000 }),
    description: text(),
    mail_exceptions_to: string(1024, { format: 'emails' }),
    disabled: boolean({ default: false }),
    last_error: string(255, { readOnly: true }),
    secret: secret(),
    signed: boolean({ readOnly: true, default: false }),
    previous_secret: secret({ readOnly: true }),
    previous_secret_until: datetime({ readOnly: true, hidden: true }),
    ...times,
  },
  collection: {
    sort: 'id',
    sortable: 'id name created_at updated_at',
    filterable: 'id name event disabled created_at updated_at',
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  refusesMisspelled: true,
  access: { use: ['account_administrator'], create: ADMINISTRATORS, update: ADMINISTRATORS, remove: ADMINISTRATORS },
  rules: [
    firstOfEvents('event', 'events'),
    filtersEvents('filter', 'event', 'events'),
    fallBackTo('name', 'event'),
    publicAddress('uri'),
    clearWhen('last_error', { field: 'disabled', becomes: false }),
    keepsSecret('secret', { flag: 'signed', previous: 'previous_secret', until: 'previous_secret_until' }),
  ],
})

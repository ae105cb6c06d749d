import { fillWithNow, fillWithTimeZone, keepInstant } from '../rules/general/local-times.js'
import { mustFollow } from '../rules/general/must-follow.js'
import { alsoTextOfOwner, alsoTranslation } from '../rules/general/translations.js'
import { identity, times } from '../schema/kinds/common-fields.js'
import { boolean, datetime, localDatetime, oneOf, parts, refs, string, text } from '../schema/kinds/fields.js'
import {
  accountsCoveringMe,
  accountsWithMyRole,
  anyOf,
  compared,
  myCoveredServiceInstances,
  myTeams,
  now,
} from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { renewal } from '../schema/language/define-timer.js'
import type { Grant } from '../schema/language/who.js'
import { timeZone } from './shared-values.js'
import { attachmentsOfTexts, translationOf } from './translation.js'
import { renewalMark } from './working-hours.js'

const MAINTAINERS: readonly Grant[] = ['service_desk_manager', 'account_administrator']

/** Spec, Broadcast: people of other accounts for whom a broadcast is visible. */
const FOR_OTHER_ACCOUNTS = anyOf(
  { visibility: 'account_specialists', account: accountsWithMyRole('specialist') },
  { visibility: 'members_of_teams', teams: myTeams },
  { visibility: 'covered_for', service_instances: myCoveredServiceInstances },
)

/** Record type `broadcast` (spec, Broadcast; behaviour: Broadcasts). */
export const broadcast = defineRecord('broadcast', {
  path: 'broadcasts',
  fields: {
    ...identity,
    source: string(30),
    sourceID: string(128, { ignoreCase: true }),
    attachments: parts('attachment', { readOnly: true }),
    disabled: boolean({ default: false }),
    end_at: localDatetime({ end: true }),
    message: text({ required: true, translated: true }),
    message_type: oneOf(['outage', 'available', 'warning', 'info'], { required: true }),
    service_instances: refs('service_instance'),
    start_at: localDatetime({ required: true }),
    teams: refs('team'),
    time_zone: timeZone({ required: true }),
    translations: parts('broadcast_translation', { readOnly: true, shows: ['id', 'locale'] }),
    visibility: oneOf(['all_of_account', 'account_specialists', 'members_of_teams', 'covered_for_any', 'covered_for'], {
      default: 'all_of_account',
    }),
    // The same times as timestamps: lists compare them with the current time, in any time zone.
    starts_at: datetime({ readOnly: true, hidden: true }),
    ends_at: datetime({ readOnly: true, hidden: true }),
    ...renewalMark,
    ...times,
  },
  collection: {
    fields: 'id sourceID created_at updated_at',
    sort: '-start_at',
    sortable: { also: 'start_at end_at' },
    filterable: { also: 'start_at end_at message_type' },
  },
  lists: {
    active: {
      allOf: [{ disabled: false, starts_at: compared('<=', now) }, anyOf({ ends_at: null }, { ends_at: compared('>', now) })],
    },
    inactive: anyOf({ disabled: true }, { starts_at: compared('>', now) }, { ends_at: compared('<=', now) }),
  },
  links: {
    service_instances: {
      record: 'service_instance',
      table: 'broadcast_service_instances',
      from: 'broadcast_id',
      to: 'service_instance_id',
      onlyWhile: { visibility: 'covered_for' },
    },
    teams: {
      record: 'team',
      table: 'broadcast_teams',
      from: 'broadcast_id',
      to: 'team_id',
      onlyWhile: { visibility: 'members_of_teams' },
    },
  },
  parts: ['broadcast_translation'],
  access: {
    see: {
      roles: ['account_administrator', 'auditor', 'service_desk_manager'],
      otherwise: anyOf(
        { visibility: 'all_of_account' },
        { visibility: 'covered_for_any', account: accountsCoveringMe },
        FOR_OTHER_ACCOUNTS,
      ),
    },
    fromTrusted: FOR_OTHER_ACCOUNTS,
    create: MAINTAINERS,
    update: MAINTAINERS,
  },
  timers: [renewal('renew_at', { while: {}, inAccountLanguage: {} })],
  rules: [
    fillWithTimeZone('time_zone'),
    fillWithNow('start_at', { zone: 'time_zone' }),
    mustFollow('end_at', { after: 'start_at' }),
    keepInstant('starts_at', { of: 'start_at', zone: 'time_zone' }),
    keepInstant('ends_at', { of: 'end_at', zone: 'time_zone' }),
    alsoTranslation('message', { record: 'broadcast_translation', renewed: 'renew_at' }),
  ],
})

/** Record type of the translations (behaviour: Translations). */
export const broadcastTranslation = translationOf('broadcast', {
  fields: { message: text({ required: true }), attachments: attachmentsOfTexts },
  maintainers: MAINTAINERS,
  rules: [alsoTextOfOwner('message')],
})

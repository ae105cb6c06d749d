/**
 * The parameters of events, as data (spec, Event submission; behaviour: Event submission). Keys are fields of requests. A
 * reference has two parameters: one with a name of the record, one that ends in `_id`.
 */
import type { Role } from '../core/call.js'
import type { Condition } from '../schema/language/conditions.js'

/** A field by whose value callers name a record. */
export interface NamedBy {
  readonly field: string
  /** Only these records can be named in this way. */
  readonly where?: Condition
}

/** A field of requests that events can set. */
export interface EventField {
  readonly about: string
  /** The role that the caller needs; without it the parameter has no effect. Null for everybody. */
  readonly role: Role | null
  /** True if the parameter also changes the request that the event matches. */
  readonly changesMatch?: true
  /** Names of the parameter, if it has others than the field; the first one is documented. */
  readonly names?: readonly string[]
  /** For references: fields that name the record, the preferred one first; none if only the id does. */
  readonly namedBy?: readonly NamedBy[]
  /** True if the record can also be named by its source and source ID. */
  readonly namedBySource?: true
  readonly isTime?: true
}

const [EVERYBODY, SPECIALISTS] = [null, 'specialist'] as const
const BY_NAME: readonly NamedBy[] = [{ field: 'name' }]
const BY_MAIL: readonly NamedBy[] = [{ field: 'primary_email' }]

/** Fields of requests that events can set, in the order of the specification. */
export const EVENT_FIELDS = {
  subject: { about: 'Subject of the request.', role: EVERYBODY },
  note: { about: 'Text that is added as a note.', role: EVERYBODY },
  internal_note: { about: 'Text that is added as an internal note.', role: SPECIALISTS },
  category: { about: 'Category; default incident with a service instance, else other.', role: SPECIALISTS },
  impact: { about: 'Impact; default top for incidents.', role: SPECIALISTS },
  status: { about: 'Status; default assigned.', role: SPECIALISTS, changesMatch: true },
  completion_reason: { about: 'Reason, with the status completed.', role: SPECIALISTS, changesMatch: true },
  change: { about: 'Change, by id.', role: SPECIALISTS, namedBy: [] },
  problem: { about: 'Problem, by id.', role: SPECIALISTS, namedBy: [] },
  ci: {
    about: 'Configuration item: by label, or software by name.',
    role: SPECIALISTS,
    namedBy: [{ field: 'label' }, { field: 'name', where: { software: true } }],
    namedBySource: true,
  },
  desired_completion_at: { about: 'Agreed time of completion.', role: SPECIALISTS, changesMatch: true, isTime: true },
  downtime_start_at: { about: 'Start of an outage.', role: SPECIALISTS, changesMatch: true, isTime: true },
  downtime_end_at: { about: 'End of an outage.', role: SPECIALISTS, changesMatch: true, isTime: true },
  member: { about: 'Assignee, by primary e-mail.', role: SPECIALISTS, changesMatch: true, namedBy: BY_MAIL },
  requested_by: { about: 'Person who asks, by primary e-mail; default the caller.', role: SPECIALISTS, namedBy: BY_MAIL },
  requested_for: {
    about: 'Person whom the request is for, by primary e-mail; default the one who asks.',
    role: 'service_desk_analyst',
    namedBy: BY_MAIL,
  },
  service_instance: {
    about: 'Service instance, by name; default the first one of the configuration item.',
    role: SPECIALISTS,
    namedBy: BY_NAME,
  },
  source: { about: 'Name of the monitoring tool; default event.', role: SPECIALISTS },
  sourceID: { about: 'Unique id of the event.', role: SPECIALISTS, names: ['source_id', 'sourceID'] },
  supplier: { about: 'Supplier, by name of the organization.', role: SPECIALISTS, namedBy: BY_NAME },
  supplier_requestID: { about: 'Identifier of the request at the supplier.', role: SPECIALISTS },
  team: { about: 'Team, by name.', role: SPECIALISTS, changesMatch: true, namedBy: BY_NAME },
  template: {
    about: 'Request template, by subject; other parameters win.',
    role: SPECIALISTS,
    namedBy: [{ field: 'subject' }],
  },
  waiting_until: {
    about: 'Time at which waiting_for ends, with that status.',
    role: SPECIALISTS,
    changesMatch: true,
    isTime: true,
  },
  custom_fields: { about: 'Custom fields: a list of ids and values, as JSON.', role: SPECIALISTS },
} as const satisfies { readonly [field: string]: EventField }

/** A field of requests that events can set. */
export type EventFieldName = keyof typeof EVENT_FIELDS

/** The fields of requests that events can set, in their order. */
export const EVENT_FIELD_LIST = Object.entries(EVENT_FIELDS) as readonly (readonly [EventFieldName, EventField])[]

/** The account in which the request is registered. */
export const SUPPORT_DOMAIN = 'support_domain'

/** A name that callers may send. */
export interface EventParameter {
  readonly name: string
  readonly about: string
}

/** The documented parameters, in the order of the specification. */
export const EVENT_PARAMETERS: readonly EventParameter[] = [
  ...EVENT_FIELD_LIST.flatMap(([field, definition]) => parametersOf(field, definition)),
  { name: SUPPORT_DOMAIN, about: 'Id of the account in which the request is registered.' },
]

/** Names of all parameters that set a field, also those that are not documented. */
export function namesOf(field: string, { names = [field], namedBy, namedBySource }: EventField): readonly string[] {
  const bySource = namedBySource ? [`${field}_source`, `${field}_sourceID`] : []
  return namedBy ? [field, `${field}_id`, ...bySource] : names
}

/** All names that have an effect for callers with every role. */
export const EVENT_NAMES: readonly string[] = [
  ...EVENT_FIELD_LIST.flatMap(([field, definition]) => namesOf(field, definition)),
  SUPPORT_DOMAIN,
]

function parametersOf(
  field: string,
  { about, names = [field], namedBy, namedBySource }: EventField,
): readonly EventParameter[] {
  if (!namedBy) return names.slice(0, 1).map((name) => ({ name, about }))
  const byId = { name: `${field}_id`, about: namedBy.length > 0 ? 'The same, by id.' : about }
  const bySource = [
    { name: `${field}_source`, about: 'The same, by source …' },
    { name: `${field}_sourceID`, about: '… and source ID; the source may be omitted.' },
  ]
  return [...(namedBy.length > 0 ? [{ name: field, about }] : []), byId, ...(namedBySource ? bySource : [])]
}

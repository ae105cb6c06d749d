import { renews } from '../rules/general/renews.js'
import { keepClock } from '../rules/service-levels/keep-clock.js'
import { renewPromise } from '../rules/service-levels/renew-promise.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, datetime, integer, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { accountsWithMyRole, anyOf, me, myOrganization, myTeams } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { renewal } from '../schema/language/define-timer.js'
import { AGREEMENT_LISTS, agreementDates, agreementRules, agreementStatus, agreementTimers } from './agreement.js'
import { IMPACTS, SERVICE_MAINTAINERS, STAFF, TARGET_KEYWORDS, timeZone } from './shared-values.js'
import { renewalMark } from './working-hours.js'

/**
 * The coverage determines which of the links name covered people; the other links are stored without effect (behaviour: Service
 * level agreements).
 */
export const sla = defineRecord('sla', {
  path: 'slas',
  fields: {
    ...identity,
    ...provenance,
    name: string(160, { required: true }),
    service_offering: ref('service_offering', { required: true }),
    service_instance: ref('service_instance'),
    customer: ref('organization', { required: true }),
    customer_rep: ref('person', { firstOf: 'customer_representatives' }),
    service_level_manager: ref('person'),
    coverage: oneOf(
      [
        'customer_account',
        'organizations_and_descendants',
        'organizations',
        'sites',
        'organizations_and_sites',
        'people',
        'cis_of_service_instance',
        'service_instances',
      ],
      { default: 'organizations' },
    ),
    status: agreementStatus(),
    ...agreementDates,
    use_knowledge_from_service_provider: boolean({ default: false }),
    remarks: text(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'service_offering id sourceID name status created_at updated_at',
    sort: 'name',
    filterable: { also: 'source service_instance' },
  },
  lists: AGREEMENT_LISTS,
  links: {
    customer_representatives: { record: 'person', table: 'sla_customer_representatives', from: 'sla_id', to: 'person_id' },
    organizations: { record: 'organization', table: 'sla_organizations', from: 'sla_id', to: 'organization_id' },
    people: { record: 'person', table: 'sla_people', from: 'sla_id', to: 'person_id', singular: 'person' },
    sites: { record: 'site', table: 'sla_sites', from: 'sla_id', to: 'site_id' },
    service_instances: {
      record: 'service_instance',
      table: 'sla_service_instances',
      from: 'sla_id',
      to: 'service_instance_id',
    },
  },
  access: {
    publicTitle: true,
    see: { roles: STAFF, otherwise: { customer_representatives: me } },
    create: SERVICE_MAINTAINERS,
    update: SERVICE_MAINTAINERS,
  },
  timers: agreementTimers({}),
  import: {
    type: 'slas',
    order: 16,
    columns: [
      'Status',
      'Name',
      'Service Offering',
      'Service Instance',
      'Service Level Manager',
      'Customer',
      'Customer Representatives',
      'Start Date',
      'Notice Date',
      'Expiry Date',
      'Remarks',
      'Use Knowledge From Service Provider',
      'Coverage',
      'Organizations',
      'Sites',
      'People',
      { header: 'Service Instances', field: 'service_instances', mayEndWith: ['down', 'degraded'] },
    ],
  },
  rules: [...agreementRules(null), renews('affected_sla', { on: ['service_offering'], of: ['sla'] })],
  events: ['create', 'update'],
  unique: [['name']],
})

/** Never set by callers: rules of requests and host code (`asSystem`) create and change these records. */
const BY_SERVICE = { write: [] } as const
/** Teams, calendars and others that were disabled since must not keep anybody from reporting an incident. */
const COPIED = { ...BY_SERVICE, allowDisabled: true } as const

/** Targets of an agreement for one request, and their results (behaviour: Affected SLAs). */
export const affectedSla = defineRecord('affected_sla', {
  path: 'affected_slas',
  title: null,
  operations: ['list', 'single', 'update'],
  fields: {
    ...identity,
    request: ref('request', { ...BY_SERVICE, required: true }),
    sla: ref('sla', { ...BY_SERVICE, required: true }),
    service_instance: ref('service_instance', COPIED),
    accountability: oneOf(['provider', 'supplier', 'sla_not_affected']),
    impact: oneOf(IMPACTS, BY_SERVICE),
    first_line_team: ref('team', COPIED),
    support_team: ref('team', COPIED),
    supplier: ref('organization', COPIED),
    service_hours: ref('calendar', COPIED),
    support_hours: ref('calendar', COPIED),
    time_zone: timeZone(BY_SERVICE),
    maximum_response_duration: integer({ ...BY_SERVICE, unit: 'minutes' }),
    maximum_resolution_duration: integer({ ...BY_SERVICE, unit: 'minutes' }),
    started_at: datetime(BY_SERVICE),
    response_target_at: datetime(BY_SERVICE),
    resolution_target_at: datetime(BY_SERVICE),
    actual_response_at: datetime(BY_SERVICE),
    actual_resolution_at: datetime(BY_SERVICE),
    actual_response_duration: integer({ ...BY_SERVICE, unit: 'minutes' }),
    actual_resolution_duration: integer({ ...BY_SERVICE, unit: 'minutes' }),
    downtime_start_at: datetime(BY_SERVICE),
    downtime_end_at: datetime(BY_SERVICE),
    downtime_duration: integer({ ...BY_SERVICE, unit: 'minutes' }),
    stopped_clock_at: datetime(BY_SERVICE),
    stopped_clock_duration: integer({ ...BY_SERVICE, unit: 'minutes', default: 0 }),
    desired_completion_at: datetime(BY_SERVICE),
    next_target_at: datetime({ ...BY_SERVICE, keywords: TARGET_KEYWORDS }),
    standard_service_request: ref('standard_service_request', BY_SERVICE),
    // After these times the request has a warning (ADR 61).
    response_warning_at: datetime({ readOnly: true, hidden: true, mark: true }),
    resolution_warning_at: datetime({ readOnly: true, hidden: true, mark: true }),
    // True if the SLA covers the person that the request is for.
    covers_requester: boolean({ readOnly: true, hidden: true }),
    ...renewalMark,
    ...times,
  },
  collection: {
    sort: '-id',
    sortable: 'id request sla service_instance',
    filterable: 'id request sla service_instance next_target_at created_at updated_at',
  },
  access: {
    see: {
      roles: STAFF,
      otherwise: anyOf(
        { 'request.requested_by': me },
        { 'request.requested_for': me },
        { 'request.member': me },
        { 'request.team': myTeams },
        { 'request.organization': myOrganization, account: accountsWithMyRole('key_contact') },
      ),
    },
    create: [],
    update: SERVICE_MAINTAINERS,
  },
  // Only of requests that are not completed.
  timers: [
    renewal('renew_at', {
      while: { actual_resolution_at: null },
      inAccountZone: { time_zone: null },
      ofAccountOrganization: {},
    }),
  ],
  rules: [renewPromise('renew_at'), keepClock()],
})

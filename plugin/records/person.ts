import { defaultsOfPerson } from '../rules/people/person-defaults.js'
import { identity, times } from '../schema/kinds/common-fields.js'
import { boolean, decimal, json, parts, picture, ref, string, text } from '../schema/kinds/fields.js'
import {
  agreementsCoveringMe,
  directoryAccount,
  internalOrganizations,
  me,
  myCoveredServiceInstances,
  myCoveredServices,
  thisAccount,
} from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { CONTACT_DETAIL_COLUMNS } from './contact-details.js'
import { timeZone } from './shared-values.js'

/** Fields that identify an account owner or affect sign-in. With them an administrator could act as an owner. */
const ofOwner = { guardedBy: 'account_owner' } as const

/** Everyone who can sign in is a person (spec, Person; behaviour: People). */
export const person = defineRecord('person', {
  path: 'people',
  fields: {
    ...identity,
    source: string(30, ofOwner),
    sourceID: string(128, ofOwner),
    addresses: parts('address', { readOnly: true }),
    contacts: parts('contact', { readOnly: true }),
    cost_per_hour: decimal({ minimum: 0, read: ['account_administrator', { person: 'manager' }, 'self'] }),
    disabled: boolean({ default: false, ...ofOwner }),
    information: text(),
    job_title: string(80),
    locale: string(5, { format: 'locale' }),
    location: string(80),
    manager: ref('person'),
    name: string(128, { required: true }),
    organization: ref('organization'),
    picture_uri: picture(),
    primary_email: string(128, { required: true, ignoreCase: true, format: 'email', ...ofOwner }),
    site: ref('site'),
    supportID: string(50, { ignoreCase: true, ...ofOwner }),
    time_format_24h: boolean({ default: true }),
    time_zone: timeZone(),
    ui_extension: ref('ui_extension', { readOnly: true }),
    vip: boolean({ default: false }),
    custom_data: json(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name organization site manager created_at updated_at',
    sort: 'name',
    filterable: { also: 'source disabled primary_email supportID' },
  },
  lists: {
    enabled: { disabled: false },
    disabled: { disabled: true },
    internal: { organization: internalOrganizations },
    directory: { account: directoryAccount },
    support_domain: { account: thisAccount },
    // The parameter of that name selects the roles.
    all_with_roles: {},
  },
  links: {
    teams: { record: 'team', table: 'team_members', from: 'person_id', to: 'team_id' },
    cis: { record: 'ci', table: 'ci_users', from: 'person_id', to: 'ci_id' },
    skill_pools: { record: 'skill_pool', table: 'skill_pool_members', from: 'person_id', to: 'skill_pool_id' },
  },
  coverages: {
    sla_coverages: { record: 'sla', where: { id: agreementsCoveringMe } },
    service_instance_coverages: { record: 'service_instance', where: { id: myCoveredServiceInstances } },
    service_coverages: { record: 'service', where: { id: myCoveredServices } },
    ci_coverages: { record: 'ci', where: { users: me } },
  },
  parts: ['address', 'contact'],
  withDirectory: true,
  holdsRoles: true,
  access: {
    publicTitle: true,
    create: ['account_administrator', 'service_desk_analyst'],
    update: [
      'account_administrator',
      { who: 'self', fields: ['information', 'locale', 'time_zone', 'time_format_24h', 'addresses', 'contacts'] },
    ],
  },
  rules: [defaultsOfPerson()],
  events: ['create', 'update'],
  unique: [['primary_email']],
  import: {
    type: 'people',
    order: 5,
    key: 'primary_email',
    columns: [
      { header: 'ID', field: 'id' },
      'Primary Email',
      'Source',
      { header: 'Source ID', field: 'sourceID' },
      'Disabled',
      'Name',
      'Picture URI',
      'Organization',
      'Job Title',
      { header: 'Support ID', field: 'supportID' },
      'Cost Per Hour',
      'Manager',
      'Site',
      'Location',
      'Information',
      'Time Zone',
      'Time Format 24h',
      'Locale',
      'VIP',
      'UI Extension',
      'Custom Data',
      'Created At',
      'Updated At',
    ],
    ignored: ['Authentication ID', 'Employee ID', 'Auto Translation', 'Do Not Translate Languages', 'Work Hours'],
  },
  partImports: [
    {
      type: 'people_contact_details',
      order: 7,
      owner: { header: 'Person', field: 'primary_email' },
      ...CONTACT_DETAIL_COLUMNS,
    },
    {
      type: 'people_roles',
      order: 8,
      owner: { header: 'Person', field: 'primary_email' },
      parts: {},
      roles: {
        account: 'Role Account',
        columns: [
          { header: 'Specialist', role: 'specialist' },
          { header: 'Service Desk Analyst', role: 'service_desk_analyst' },
          { header: 'Service Desk Manager', role: 'service_desk_manager' },
          { header: 'Problem Manager', role: 'problem_manager' },
          { header: 'Change Manager', role: 'change_manager' },
          { header: 'Release Manager', role: 'release_manager' },
          { header: 'Project Manager', role: 'project_manager' },
          { header: 'Service Level Manager', role: 'service_level_manager' },
          { header: 'Configuration Manager', role: 'configuration_manager' },
          { header: 'Auditor', role: 'auditor' },
          { header: 'Account Administrator', role: 'account_administrator' },
          { header: 'Key Contact', role: 'key_contact' },
        ],
      },
    },
  ],
})

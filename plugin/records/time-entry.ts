import { notLocked } from '../rules/time/locked-dates.js'
import { allocationOfTimeEntry, personOfTimeEntry, positiveUnless } from '../rules/time/time-entries.js'
import { customerOfWork } from '../rules/time/time-entry-work.js'
import { identity, times } from '../schema/kinds/common-fields.js'
import { boolean, date, integer, ref, string } from '../schema/kinds/fields.js'
import { anyOf, compared, me, threeMonthsAgo } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Grant } from '../schema/language/who.js'

const OWN_AND_MANAGED: readonly Grant[] = ['account_administrator', { person: 'person' }, { person: 'manager' }]

/** The record that an entry was created for with the field Time spent. */
const work = { readOnly: true, onlyWhenSet: true, shownWith: 'time_allocation' } as const

/** Record type `time_entry` (spec, Time entry; behaviour: Time entries). */
export const timeEntry = defineRecord('time_entry', {
  path: 'time_entries',
  title: null,
  fields: {
    ...identity,
    correction: boolean({ default: false }),
    // Work that time was spent on may be for a disabled one; callers cannot choose it.
    customer: ref('organization', { allowDisabled: true }),
    date: date({ required: true }),
    deleted: boolean({ default: false }),
    description: string(80),
    organization: ref('organization', { readOnly: true, allowDisabled: true }),
    person: ref('person', { required: true }),
    problem: ref('problem', work),
    request: ref('request', work),
    task: ref('task', work),
    project_task: ref('project_task', work),
    service: ref('service', { allowDisabled: true }),
    // Required of callers; entries that the field Time spent creates have none (behaviour: Time entries).
    time_allocation: ref('time_allocation', { onlyWhenSet: true }),
    time_spent: integer({ required: true, unit: 'minutes' }),
    manager: ref('person', { hidden: true, derived: { from: 'person.manager', as: 'value' } }),
    ...times,
  },
  collection: {
    fields: `id date time_spent person request problem task project_task time_allocation service customer organization
      description deleted created_at updated_at`,
    sort: 'id',
    sortable: 'id date created_at updated_at',
    filterable: 'id date person deleted created_at updated_at',
  },
  operations: ['list', 'single', 'create', 'update', 'remove'],
  events: ['delete'],
  softDeleteField: 'deleted',
  // spec, Limits: retrieval of deleted time entries.
  existsWhile: anyOf({ deleted: false }, { updated_at: compared('>', threeMonthsAgo) }),
  access: {
    see: { roles: ['account_administrator', 'auditor'], otherwise: anyOf({ person: me }, { 'person.manager': me }) },
    create: ['anyone'],
    update: OWN_AND_MANAGED,
    remove: OWN_AND_MANAGED,
  },
  import: {
    type: 'time_entries',
    order: 47,
    columns: [
      'Person',
      'Date',
      'Time Spent',
      'Time Allocation',
      'Service',
      'Customer',
      'Request',
      'Problem',
      'Task',
      'Project Task',
      'Correction',
      'Description',
      'Deleted',
    ],
    ignored: ['Source', 'Source ID', 'Started At', 'Effort Class ID', 'Effort Class'],
  },
  rules: [
    personOfTimeEntry(),
    customerOfWork(),
    allocationOfTimeEntry(),
    positiveUnless('time_spent', { flag: 'correction' }),
    notLocked('date', { unless: 'correction' }),
  ],
  audit: false,
})

import { requiredWhen } from '../rules/general/by-status.js'
import { mustFollow } from '../rules/general/must-follow.js'
import { mustHaveRole } from '../rules/general/must-have-role.js'
import { ordersLinked } from '../rules/general/orders-linked.js'
import { FREQUENCIES } from '../rules/recurrence/occurrences.js'
import { recurring, recursWhileEnabled } from '../rules/recurrence/recurring.js'
import { occurs } from '../rules/templates/occurrence.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, date, datetime, integer, oneOf, part, parts, ref, string, text, timeOfDay } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import { due } from '../schema/language/define-timer.js'
import type { Grant } from '../schema/language/who.js'
import { CHANGE_IMPACTS, JUSTIFICATIONS, timeZone } from './shared-values.js'

const MAINTAINERS: readonly Grant[] = ['change_manager', 'account_administrator']

/**
 * Responses contain the change manager as an id, as specified, and as a reference (spec, Change template; behaviour: Change
 * templates).
 */
export const changeTemplate = defineRecord('change_template', {
  path: 'change_templates',
  title: 'subject',
  fields: {
    ...identity,
    ...provenance,
    category: oneOf(['standard', 'non_standard', 'emergency']),
    change_manager: ref('person'),
    change_manager_id: integer({ derived: { from: 'change_manager', as: 'value' } }),
    change_type: oneOf(['application_change', 'infrastructure_change']),
    disabled: boolean({ default: false }),
    impact: oneOf(CHANGE_IMPACTS, { readOnly: true, default: 'none' }),
    instructions: text(),
    // compliance as well (behaviour: Settled defaults)
    justification: oneOf(JUSTIFICATIONS),
    note: text(),
    recurrence: part('recurrence', { onlyWhenSet: true }),
    service: ref('service'),
    subject: string(255, { required: true }),
    times_applied: integer({ readOnly: true, default: 0 }),
    ui_extension: ref('ui_extension'),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID subject service recurrence created_at updated_at',
    sort: '-id',
    sortable: { also: 'times_applied', except: 'recurrence' },
    filterable: { also: 'source disabled', except: 'recurrence' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  links: {
    task_templates: {
      record: 'task_template',
      table: 'change_template_task_templates',
      from: 'change_template_id',
      to: 'task_template_id',
      orderedBy: 'task_sequence',
    },
  },
  children: { changes: { record: 'change', by: 'template' } },
  parts: ['recurrence', 'task_sequence'],
  access: { create: MAINTAINERS, update: MAINTAINERS },
  import: {
    type: 'change_templates',
    order: 28,
    columns: [
      'Disabled',
      'Subject',
      'Instructions',
      'Note',
      'Service',
      'Category',
      { header: 'Type', field: 'change_type' },
      'Justification',
      'UI Extension',
      'Task Templates',
      { header: 'Change', field: 'task_sequences', also: 'Workflow' },
      { header: 'Recurrence - Disabled', field: 'recurrence.disabled' },
      { header: 'Recurrence - Time Zone', field: 'recurrence.time_zone' },
      { header: 'Recurrence - Time Of Day', field: 'recurrence.time_of_day' },
      { header: 'Recurrence - Start Date', field: 'recurrence.start_date' },
      { header: 'Recurrence - End Date', field: 'recurrence.end_date' },
      { header: 'Recurrence - Frequency', field: 'recurrence.frequency' },
      { header: 'Recurrence - Interval', field: 'recurrence.interval' },
      { header: 'Recurrence - Day', field: 'recurrence.day' },
      { header: 'Recurrence - Day Of Month', field: 'recurrence.day_of_month' },
      { header: 'Recurrence - Day Of Week', field: 'recurrence.day_of_week' },
      { header: 'Recurrence - Day Of Week Index', field: 'recurrence.day_of_week_index' },
      { header: 'Recurrence - Day of Week Day', field: 'recurrence.day_of_week_day' },
      { header: 'Recurrence - Month Of Year', field: 'recurrence.month_of_year' },
      { header: 'Recurrence - iCal', field: 'recurrence.ical' },
      { header: 'Recurrence - Change Manager', field: 'change_manager' },
      'Created At',
      'Updated At',
    ],
  },
  rules: [mustHaveRole('change_manager', 'change_manager'), recursWhileEnabled('recurrence')],
})

/**
 * Days on which changes are created from a template (spec, Recurrence fields; behaviour: Change templates). The specification
 * makes the frequency read-only, although nothing else could set it, so callers may set it like the other settings.
 */
export const recurrence = defineRecord('recurrence', {
  path: 'recurrence',
  table: 'recurrences',
  title: null,
  partOf: ['change_template'],
  nested: [],
  fields: {
    ...identity,
    frequency: oneOf(FREQUENCIES, { default: 'no_repeat' }),
    interval: integer({ required: true, default: 1, minimum: 1 }),
    disabled: boolean({ default: false }),
    time_of_day: timeOfDay({ required: true }),
    time_zone: timeZone({ required: true }),
    start_date: date({ required: true }),
    end_date: date(),
    day: string(255),
    day_of_month: string(255),
    day_of_week: boolean({ required: true, default: false }),
    day_of_week_index: oneOf(['first', 'second', 'third', 'fourth', 'last'], { default: 'first' }),
    day_of_week_day: string(255),
    month_of_year: string(255),
    last_occurrence_at: datetime({ readOnly: true }),
    last_occurrence_object: ref('change', { readOnly: true }),
    last_occurrence_errors: string(1024, { readOnly: true }),
    next_occurrence_at: datetime({ readOnly: true }),
    ical: string(2048, { readOnly: true }),
  },
  collection: {
    sort: 'id',
    sortable: 'id',
    filterable: 'id',
  },
  access: { create: MAINTAINERS, update: MAINTAINERS, remove: MAINTAINERS },
  timers: [due('next_occurrence_at', { while: { disabled: false }, set: { next_occurrence_at: null } })],
  rules: [
    requiredWhen('day', { field: 'frequency', values: ['daily'] }),
    requiredWhen('month_of_year', { field: 'frequency', values: ['yearly'] }),
    requiredWhen('day_of_week_day', { field: 'day_of_week', values: [true] }),
    recurring('change_template'),
    occurs('change', { template: 'change_template', services: 'service' }),
    mustFollow('end_date', { after: 'start_date' }),
  ],
})

/**
 * The task of one task template of a change template comes before that of another one (behaviour: Change templates). Without any of
 * these, tasks follow each other by category.
 */
export const taskSequence = defineRecord('task_sequence', {
  path: 'task_sequences',
  title: null,
  partOf: ['change_template'],
  // A pair is there, or it is not: there is nothing to change.
  nested: ['list', 'single', 'create', 'remove'],
  fields: {
    ...identity,
    // Disabled ones are passed over.
    predecessor: ref('task_template', { required: true, allowDisabled: true }),
    successor: ref('task_template', { required: true, allowDisabled: true }),
  },
  collection: {
    sort: 'id',
    sortable: 'id',
    filterable: 'id',
  },
  access: { create: MAINTAINERS, update: [], remove: MAINTAINERS },
  rules: [ordersLinked('task_templates', { before: 'predecessor', after: 'successor', code: 'not_of_template' })],
  unique: [['predecessor', 'successor']],
  audit: false,
})

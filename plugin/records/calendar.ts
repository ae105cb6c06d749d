import { WEEKDAYS } from '../core/time/week.js'
import { mustFollow } from '../rules/general/must-follow.js'
import { followHolidays } from '../rules/service-levels/follow-holidays.js'
import { noOverlap } from '../rules/time/no-overlap.js'
import { ADMINISTRATORS, identity, times } from '../schema/kinds/common-fields.js'
import { boolean, localDatetime, oneOf, parts, picture, string, timeOfDay } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import { renewsHours } from './working-hours.js'

/** The hours may be sent as a whole (spec, Calendar; behaviour: Calendars): they replace the stored ones. */
export const calendar = defineRecord('calendar', {
  path: 'calendars',
  fields: {
    ...identity,
    source: string(30),
    sourceID: string(128, { ignoreCase: true }),
    calendar_hours: parts('calendar_hour', { shows: ['weekday', 'time_from', 'time_until'], replaceable: true }),
    disabled: boolean({ default: false }),
    name: string(80, { required: true, ignoreCase: true }),
    // Differs when other holidays are linked.
    holiday_key: string(64, { readOnly: true, hidden: true }),
    ...times,
  },
  collection: {
    fields: 'id source sourceID name calendar_hours created_at updated_at',
    sort: 'name',
    sortable: { except: 'source calendar_hours' },
    filterable: { also: 'disabled', except: 'source calendar_hours' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  links: { holidays: { record: 'holiday', table: 'calendar_holidays', from: 'calendar_id', to: 'holiday_id' } },
  children: {
    teams: { record: 'team', by: 'work_hours' },
    service_offerings: {
      record: 'service_offering',
      by: ['service_hours', 'support_hours_low', 'support_hours_medium', 'support_hours_high', 'support_hours_top'],
    },
  },
  parts: ['calendar_hour'],
  access: { publicTitle: true, create: ADMINISTRATORS, update: ADMINISTRATORS },
  settle: [followHolidays],
  rules: renewsHours({ on: ['holiday_key'] }),
  unique: [['name']],
  import: {
    type: 'calendars',
    order: 1,
    columns: ['Disabled', 'Name'],
    rows: {
      field: 'calendar_hours',
      columns: [
        { header: 'Weekday', field: 'weekday' },
        { header: 'From', field: 'time_from' },
        { header: 'Until', field: 'time_until' },
      ],
    },
  },
})

/** Record type `calendar_hour` (behaviour: Calendars). */
export const calendarHour = defineRecord('calendar_hour', {
  path: 'calendar_hours',
  partOf: ['calendar'],
  fields: {
    ...identity,
    weekday: oneOf(WEEKDAYS, { required: true }),
    time_from: timeOfDay({ required: true }),
    time_until: timeOfDay({ required: true, end: true }),
  },
  title: null,
  collection: {
    sort: 'weekday time_from',
    filterable: 'id weekday',
  },
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS, remove: ADMINISTRATORS },
  rules: [
    mustFollow('time_until', { after: 'time_from' }),
    noOverlap({ within: 'weekday', from: 'time_from', until: 'time_until' }),
    ...renewsHours({ from: { record: 'calendar', column: 'owner_id' } }),
  ],
  audit: false,
})

/** The times apply in the zone in which the calendar is used (behaviour: Holidays). */
export const holiday = defineRecord('holiday', {
  path: 'holidays',
  fields: {
    ...identity,
    source: string(30),
    sourceID: string(128, { ignoreCase: true }),
    name: string(80, { required: true, ignoreCase: true }),
    picture_uri: picture(),
    start_at: localDatetime({ required: true }),
    end_at: localDatetime({ required: true, end: true }),
    ...times,
  },
  collection: {
    sort: 'name',
    sortable: 'id sourceID name created_at updated_at',
    filterable: { except: 'source picture_uri' },
  },
  links: { calendars: { record: 'calendar', table: 'calendar_holidays', from: 'holiday_id', to: 'calendar_id' } },
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
  rules: [
    mustFollow('end_at', { after: 'start_at' }),
    ...renewsHours({ on: ['start_at', 'end_at'], from: { record: 'calendar', link: 'calendars' } }),
  ],
  unique: [['name']],
  import: {
    type: 'holidays',
    order: 2,
    columns: ['Name', 'Start At', 'End At', 'Calendars'],
  },
})

/** A small host whose authors make mistakes: trips, their legs, and the people who drive. */
import {
  ADMINISTRATORS,
  boolean,
  common,
  type Definition,
  date,
  datetime,
  decimal,
  defineRecord,
  follow,
  integer,
  json,
  oneOf,
  type Rule,
  ref,
  refs,
  string,
  strings,
  text,
} from '../../plugin/index.js'

const access = { create: ADMINISTRATORS, update: ADMINISTRATORS }

/** A trip with these parts in place of the right ones. */
export function tripWith(more: object = {}, fields: object = {}): Definition {
  return defineRecord('trip', {
    path: 'trips',
    fields: {
      ...common,
      name: string(20, { required: true }),
      status: oneOf(['open', 'closed'], { default: 'open' }),
      seats: integer({ minimum: 2, maximum: 9 }),
      times_driven: integer(),
      price: decimal(),
      driver: ref('person'),
      starts_at: datetime(),
      day: date(),
      remarks: text(),
      tags: strings(5),
      data: json(),
      helpers: refs('person'),
      closed: boolean(),
      ...fields,
    },
    collection: { fields: 'id name status', sort: 'name', filterable: 'id name status' },
    links: { helpers: { record: 'person', table: 'trip_helpers', from: 'trip_id', to: 'person_id' } },
    access,
    ...more,
  } as Parameters<typeof defineRecord>[1])
}

/** A leg of a trip, with these parts in place of the right ones. */
export function legWith(more: object = {}): Definition {
  return defineRecord('leg', {
    path: 'legs',
    fields: {
      ...common,
      name: string(20, { required: true }),
      phase: oneOf(['new', 'done'], { default: 'new' }),
      trip: ref('trip'),
    },
    collection: { fields: 'id name', sort: 'name', filterable: 'id' },
    access,
    ...more,
  } as Parameters<typeof defineRecord>[1])
}

/** The settling of a trip, with these settings in place of the right ones. */
export function settling(settings: object = {}) {
  return follow('tripStatus', { of: { legs: { type: 'leg', by: 'trip' } }, decide: () => null, ...settings } as never)
}

/** A rule with these functions, whatever they are. */
export function ruleWith(behavior: unknown): Rule {
  return Object.freeze({ rule: 'careless', settings: [], does: () => behavior }) as Rule
}

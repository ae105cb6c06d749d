/** Parts of definitions for small record types of specs. */

/** Lists with nothing to sort or to filter by but the id. */
export const NO_LISTS = { collection: { fields: 'id', sort: 'id', filterable: 'id' } } as const

/** Records that only the system writes. */
export const CLOSED_FOR_ALL = { access: { create: [], update: [] } } as const

/** The shapes of the part `collection`: names in one string, or differences to the fields of the list. */
import { shown } from '../../core/text/shown.js'
import { checkShape, isObject, type Shape } from '../language/shapes.js'

const NAMES: Shape = {
  check(value, path, report) {
    if (typeof value !== 'string' || /[^\w\s-]/.test(value))
      report(path, `must be names in one text, separated by spaces, 'id name', not ${shown(value)}`)
  },
}
const FIELD_CHOICE: Shape = {
  check(value, path, report) {
    const differences: Shape = { parts: { also: NAMES, except: NAMES }, noun: 'differences to the fields of the list' }
    checkShape(value, isObject(value) ? differences : NAMES, path, report)
  },
}

/** The collection part of a definition. */
export const COLLECTION: Shape = {
  parts: {
    fields: NAMES,
    sort: NAMES,
    sortable: FIELD_CHOICE,
    filterable: FIELD_CHOICE,
    countable: NAMES,
    below: { parts: { fields: NAMES, sort: NAMES }, noun: 'lists below an owner' },
  },
  required: ['sort'],
  noun: 'a collection',
}

/** The collection part of an extension. */
export const MORE_COLLECTION: Shape = {
  parts: { fields: NAMES, sortable: NAMES, filterable: NAMES, countable: NAMES },
  noun: 'the collection of an extension',
}

/** The shapes of definitions and extensions: all names that they can have, and the shapes of their values. */
import { shown } from '../../core/text/shown.js'
import { type Definition, OPERATIONS, VERBS } from '../language/define-record.js'
import { ACCOUNT_RENEWALS, TARGETS, TIMER_VERBS } from '../language/define-timer.js'
import type { Extension } from '../language/extend-record.js'
import { below, checkShape, isObject, type Shape, TEXTS } from '../language/shapes.js'
import { COLLECTION, MORE_COLLECTION } from './collection-shapes.js'
import { CONDITION, SCALAR } from './condition-shapes.js'
import { FIELD, WHO } from './field-shapes.js'
import { GIVEN_COLUMN, IMPORT, PART_IMPORT } from './import-shapes.js'

const GRANT: Shape = {
  check(value, path, report) {
    const isLimited = isObject(value) && 'who' in value
    checkShape(
      value,
      isLimited ? { parts: { who: WHO, fields: TEXTS }, required: ['who', 'fields'], noun: 'a grant' } : WHO,
      path,
      report,
    )
  },
}
const GRANTS: Shape = { list: GRANT }

const ALL: Shape = { words: ['all'] }
const LINK: Shape = {
  parts: {
    record: 'text',
    table: 'text',
    from: 'text',
    to: 'text',
    write: { words: ['update', 'none'] },
    singular: 'text',
    within: { parts: { field: 'text', code: 'text' }, required: ['field'], noun: "a link's within" },
    acyclic: 'boolean',
    onlyWhile: { named: 'json' },
    orderedBy: 'text',
  },
  required: ['record', 'table', 'from', 'to'],
  noun: 'a link',
}
const CHILD: Shape = {
  parts: { record: 'text', by: { either: ['text', TEXTS], called: 'a field, a path or a list of those' }, link: 'boolean' },
  required: ['record', 'by'],
  noun: 'a child list',
}
const COVERAGE: Shape = {
  parts: { record: 'text', where: CONDITION },
  required: ['record', 'where'],
  noun: 'a coverage list',
}
const RULE: Shape = {
  check(value, path, report) {
    if (!isObject(value) || typeof value['does'] !== 'function' || typeof value['rule'] !== 'string' || value['rule'] === '')
      report(path, `must be a rule with its settings, stamp('field', …), written with rule(), not ${shown(value)}`)
    else {
      checkShape(value['settings'], { list: 'json' }, below(path, 'settings'), report)
      for (const place of ['after', 'before'])
        if (value[place] !== undefined) checkShape(value[place], 'text', below(path, place), report)
      if (value['after'] !== undefined && value['before'] !== undefined)
        report(path, "must have either 'after' or 'before', not both")
    }
  },
}

const OF_ACCOUNTS = Object.fromEntries(Object.keys(ACCOUNT_RENEWALS).map((name) => [name, CONDITION]))
/** A value, or a value for some people. */
const NEXT: Shape = {
  check(value, path, report) {
    const isLimited = isObject(value)
    const parts = { to: 'text', by: { list: WHO } } as const
    checkShape(value, isLimited ? { parts, required: ['to', 'by'], noun: 'a next value' } : 'text', path, report)
  },
}
const MOVES: Shape = { named: { named: { list: NEXT } } }
const RENEWAL: Shape = { parts: OF_ACCOUNTS, noun: 'a renewal' }
const TIMER: Shape = {
  parts: {
    due: 'text',
    while: CONDITION,
    set: { named: SCALAR },
    raises: { words: TIMER_VERBS },
    target: { words: TARGETS },
    renews: RENEWAL,
  },
  required: ['due', 'while', 'set'],
  noun: 'a timer',
}
/** One name, or several. */
const NAMES: Shape = {
  check: (value, path, report) => checkShape(value, Array.isArray(value) ? TEXTS : 'text', path, report),
}
const SOURCE: Shape = {
  parts: {
    type: 'text',
    by: 'text',
    where: CONDITION,
    part: 'text',
    link: 'text',
    refersTo: 'text',
    calendars: NAMES,
    of: 'text',
  },
  noun: 'a source of a settling',
}
const SETTLING: Shape = {
  check(value, path, report) {
    if (!isObject(value) || typeof value['settle'] !== 'string' || typeof value['decide'] !== 'function')
      return report(path, `must be made with follow('name', { of, decide }), not ${shown(value)}`)
    checkShape(value['of'], { named: SOURCE }, below(path, 'of'), report)
    checkShape(value['fields'], TEXTS, below(path, 'fields'), report)
    checkShape(value['fills'], TEXTS, below(path, 'fills'), report)
    const sources = isObject(value['of']) ? Object.entries(value['of']) : []
    for (const [name, source] of sources) {
      const isGiven = (way: string) => isObject(source) && (source[way] ?? null) !== null
      const byType = isObject(source) && 'type' in source && 'by' in source
      const ways = ['part', 'link', 'refersTo', 'calendars'].filter(isGiven).length + Number(byType)
      if (ways !== 1)
        report(below(path, `of.${name}`), 'must have either type and by, or part, or link, or refersTo, or calendars')
    }
  },
}

/** Shapes that definitions and extensions have in common. */
const SHARED = {
  fields: { named: FIELD },
  lists: { named: CONDITION },
  links: { named: LINK },
  children: { named: CHILD },
  coverages: { named: COVERAGE },
  parts: TEXTS,
  moves: MOVES,
  rules: { list: RULE },
  settle: { list: SETTLING },
  events: { list: { words: VERBS } },
  emits: TEXTS,
  timers: { list: TIMER },
  unique: { list: TEXTS },
  partImports: { list: PART_IMPORT },
} as const satisfies { readonly [name: string]: Shape }

/** Every part of a definition. */
export const DEFINITION_PARTS: { readonly [name in keyof Required<Omit<Definition, 'told'>>]: Shape } = {
  ...SHARED,
  name: 'text',
  path: 'text',
  table: 'text',
  title: {
    check: (value, path, report) => {
      if (value !== null) checkShape(value, 'text', path, report)
    },
  },
  reference: TEXTS,
  collection: COLLECTION,
  partOf: { either: [{ words: ['*'] }, TEXTS], called: "'*' or a list of record types" },
  operations: { list: { words: OPERATIONS } },
  nested: { list: { words: OPERATIONS } },
  pathBelow: 'text',
  access: {
    parts: {
      use: TEXTS,
      see: { parts: { roles: TEXTS, otherwise: CONDITION }, required: ['roles', 'otherwise'], noun: 'access.see' },
      fromTrusted: CONDITION,
      publicTitle: 'boolean',
      create: GRANTS,
      update: GRANTS,
      remove: GRANTS,
    },
    required: ['create', 'update'],
    noun: 'an access part',
  },
  import: { either: [ALL, IMPORT], called: "'all', or an import" },
  audit: 'boolean',
  refusesMisspelled: 'boolean',
  holdsRoles: 'boolean',
  registeredIn: 'text',
  withDirectory: 'boolean',
  existsWhile: CONDITION,
  softDeleteField: 'text',
  translates: 'boolean',
}

/** Every part of an extension. */
export const EXTENSION_PARTS: { readonly [name in keyof Required<Omit<Extension, 'told'>>]: Shape } = {
  ...SHARED,
  extends: 'text',
  values: { named: TEXTS },
  collection: MORE_COLLECTION,
  access: {
    parts: {
      use: TEXTS,
      see: { parts: { roles: TEXTS, otherwise: CONDITION }, noun: 'access.see' },
      create: GRANTS,
      update: GRANTS,
      remove: GRANTS,
    },
    noun: 'the access part of an extension',
  },
  importColumns: { either: [ALL, { list: GIVEN_COLUMN }], called: "'all', or a list of import columns" },
  relax: TEXTS,
}

/** Argument of `defineRecord`. */
export const DEFINITION: Shape = {
  parts: DEFINITION_PARTS,
  required: ['name', 'path', 'fields', 'collection', 'access'],
  noun: 'a definition',
}
/** Argument of `extendRecord`. */
export const EXTENSION: Shape = { parts: EXTENSION_PARTS, required: ['extends'], noun: 'an extension' }

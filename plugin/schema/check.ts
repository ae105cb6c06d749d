/** Reports every mistake that definitions can contain, as sentences that name the place and what to do. */
import { type Condition, criterionOf, pathsOf } from './conditions.js'
import { type Definition, type Extension, OPERATIONS, VERBS } from './define-record.js'
import type { RuleBook } from './define-rule.js'
import type { Field } from './fields.js'

const NAME = /^[a-z][a-z0-9_]*$/
/** Columns that every table has beside the fields. */
const RESERVED = new Set(['account', 'account_id', 'owner_type', 'owner_id'])
/** Query parameters that are never filters (gaps 1.5). */
export const RESERVED_PARAMETERS = new Set([
  'page',
  'per_page',
  'sort',
  'fields',
  'callback',
  'api_token',
  'state',
  'locale',
  '_',
  'attachment_upload_token',
  'format',
])

/** All mistakes; an empty list means that the definitions can be compiled. */
export function mistakesIn(definitions: readonly Definition[], extensions: readonly Extension[], rules: RuleBook): string[] {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  return [
    ...duplicates(definitions),
    ...definitions.flatMap((definition) => mistakesOf(definition, byName, rules)),
    ...extensions.flatMap((extension) => mistakesOfExtension(extension, extensions, byName, rules)),
  ]
}

function duplicates(definitions: readonly Definition[]): string[] {
  const mistakes: string[] = []
  for (const key of ['name', 'path'] as const) {
    const seen = new Map<string, Definition>()
    for (const definition of definitions) {
      const other = seen.get(definition[key])
      const apart = key === 'path' && (definition.partOf || other?.partOf)
      if (other && !apart) mistakes.push(`${definition.name}: the ${key} '${definition[key]}' is already that of ${other.name}`)
      seen.set(definition[key], definition)
    }
  }
  return mistakes
}

function mistakesOf(definition: Definition, all: ReadonlyMap<string, Definition>, rules: RuleBook): string[] {
  const { name, fields, collection } = definition
  const mistakes: string[] = []
  const say = (where: string, text: string) => mistakes.push(`${name}${where}: ${text}`)
  const mustBeFields = (where: string, names: readonly string[]) => {
    for (const field of names) if (!fields[field]) say(where, `there is no field '${field}'`)
  }

  if (!NAME.test(name)) say('', 'a name is lower case letters, digits and underscores, and starts with a letter')
  if (!NAME.test(definition.path)) say('.path', `'${definition.path}' is not lower case letters, digits and underscores`)
  if (!fields['id']) say('.fields', "every type needs the field id; start with '...identity' or '...common'")
  for (const [field, spec] of Object.entries(fields)) {
    for (const text of mistakesOfField(field, spec, fields, all)) say(`.fields.${field}`, text)
  }
  mustBeFields('.title', definition.title ? [definition.title] : [])
  mustBeFields('.reference', definition.reference ?? [])
  mustBeFields('.collection.fields', collection.fields)
  mustBeFields('.collection.sortable', collection.sortable === 'same' ? [] : collection.sortable)
  mustBeFields('.collection.filterable', collection.filterable)
  for (const field of collection.filterable) {
    if (RESERVED_PARAMETERS.has(field))
      say('.collection.filterable', `'${field}' is a parameter of every list, so it cannot be a filter`)
  }
  mustBeFields(
    '.collection.sort',
    collection.sort.split(',').map((key) => key.replace(/^-/, '')),
  )
  for (const group of definition.unique ?? []) mustBeFields('.unique', group)
  for (const [list, condition] of Object.entries(definition.lists ?? {})) {
    if (!NAME.test(list)) say(`.lists.${list}`, 'the name of a list is lower case letters, digits and underscores')
    for (const text of mistakesOfCondition(condition, definition, all)) say(`.lists.${list}`, text)
  }
  if (definition.access.see) {
    for (const text of mistakesOfCondition(definition.access.see.otherwise, definition, all)) say('.access.see', text)
  }
  for (const [path, link] of Object.entries(definition.links ?? {})) {
    if (!all.has(link.record)) say(`.links.${path}`, `there is no record type '${link.record}'`)
  }
  for (const [path, child] of Object.entries(definition.children ?? {})) {
    const other = all.get(child.record)
    if (!other) say(`.children.${path}`, `there is no record type '${child.record}'`)
    else if (!other.fields[child.by]) say(`.children.${path}`, `${child.record} has no field '${child.by}'`)
  }
  for (const part of definition.parts ?? []) {
    const other = all.get(part)
    if (!other) say('.parts', `there is no record type '${part}'`)
    else if (!other.partOf || !(other.partOf === '*' || other.partOf.includes(name)))
      say('.parts', `${part} does not name ${name} in its partOf`)
  }
  for (const operation of [...(definition.operations ?? []), ...(definition.nested ?? [])]) {
    if (!OPERATIONS.includes(operation)) say('.operations', `'${operation}' is not one of ${OPERATIONS.join(', ')}`)
  }
  for (const verb of definition.events ?? []) {
    if (!VERBS.includes(verb)) say('.events', `'${verb}' is not one of ${VERBS.join(', ')}`)
  }
  for (const use of definition.rules ?? []) {
    const rule = rules[use.rule]
    if (!rule) say('.rules', `there is no rule '${use.rule}'`)
    else mustBeFields(`.rules.${use.rule}`, rule.fields?.(use) ?? [])
  }
  const columns = definition.import?.columns ?? []
  for (const column of columns) {
    if (!fields[column.field] && !definition.links?.[column.field]) {
      say(`.import.columns.${column.header}`, `there is no field or link '${column.field}'`)
    }
    if (columns.some((other) => other !== column && other.header.toLowerCase() === column.header.toLowerCase())) {
      say('.import.columns', `the header '${column.header}' stands there twice`)
    }
  }
  return mistakes
}

function mistakesOfField(
  name: string,
  field: Field,
  fields: Definition['fields'],
  all: ReadonlyMap<string, Definition>,
): string[] {
  const mistakes: string[] = []
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) mistakes.push('a field name is letters, digits and underscores')
  if (RESERVED.has(name)) mistakes.push('this name is reserved')
  if (name.endsWith('_id') || name.endsWith('_ids'))
    mistakes.push("leave '_id' away: references are written as <field>_id by callers")
  if (field.required && field.readOnly && field.default === undefined && field.kind !== 'ref') {
    mistakes.push('a read-only field cannot be required of a caller')
  }
  if (field.kind === 'string' && !(field.max && field.max > 0)) mistakes.push('a string needs its maximum length')
  if (field.kind === 'enum' && !field.events) {
    if (!field.values?.length) mistakes.push('an enumeration needs values')
    else if (new Set(field.values).size < field.values.length) mistakes.push('a value stands there twice')
    else if (field.default !== undefined && !field.values.includes(String(field.default))) {
      mistakes.push(`the default '${field.default}' is not among the values`)
    }
  }
  if ((field.kind === 'ref' || field.kind === 'parts') && !field.whenPresent && !all.has(field.record ?? '')) {
    mistakes.push(`there is no record type '${field.record}'; say whenPresent if it may be absent`)
  }
  for (const other of [field.sameAs, field.localizes, field.keyedBy]) {
    if (other !== undefined && other !== 'owner_type' && !fields[other]) mistakes.push(`there is no field '${other}'`)
  }
  return mistakes
}

function mistakesOfCondition(condition: Condition, definition: Definition, all: ReadonlyMap<string, Definition>): string[] {
  return pathsOf(criterionOf(condition)).flatMap((path) => {
    let at: Definition | undefined = definition
    for (const [index, step] of path.entries()) {
      const field: Field | undefined = at?.fields[step]
      if (step === 'account' || (at?.partOf && step === 'owner')) return []
      if (!field) return [`'${path.join('.')}': ${at?.name} has no field '${step}'`]
      if (index < path.length - 1 && field.kind !== 'ref') return [`'${path.join('.')}': '${step}' is not a reference`]
      at = field.record ? all.get(field.record) : undefined
      if (index < path.length - 1 && !at) return [`'${path.join('.')}': there is no record type '${field.record}'`]
    }
    return []
  })
}

function mistakesOfExtension(
  extension: Extension,
  extensions: readonly Extension[],
  all: ReadonlyMap<string, Definition>,
  rules: RuleBook,
): string[] {
  const where = `extension of ${extension.extends}`
  const definition = all.get(extension.extends)
  if (!definition) return [`${where}: there is no such record type; known are ${[...all.keys()].join(', ')}`]
  const earlier = extensions.slice(0, extensions.indexOf(extension)).filter((e) => e.extends === extension.extends)
  const mistakes: string[] = []
  for (const kind of ['fields', 'lists'] as const) {
    for (const name of Object.keys(extension[kind] ?? {})) {
      const taken = definition[kind]?.[name]
        ? definition.name
        : earlier.some((e) => e[kind]?.[name])
          ? 'another extension'
          : null
      if (taken) mistakes.push(`${where}: ${kind}.${name} is already there, from ${taken}; an extension never replaces`)
    }
  }
  const fields = { ...definition.fields, ...Object.assign({}, ...earlier.map((e) => e.fields)), ...extension.fields }
  for (const [name, field] of Object.entries(extension.fields ?? {})) {
    for (const text of mistakesOfField(name, field, fields, all)) mistakes.push(`${where}: fields.${name}: ${text}`)
  }
  for (const [name, condition] of Object.entries(extension.lists ?? {})) {
    for (const text of mistakesOfCondition(condition, { ...definition, fields }, all)) {
      mistakes.push(`${where}: lists.${name}: ${text}`)
    }
  }
  for (const name of extension.relax ?? []) {
    if (!definition.fields[name]?.required) mistakes.push(`${where}: relax: '${name}' is not a required field`)
  }
  for (const use of extension.rules ?? []) {
    if (!rules[use.rule]) mistakes.push(`${where}: there is no rule '${use.rule}'`)
  }
  for (const column of extension.importColumns ?? []) {
    const taken = definition.import?.columns.some((c) => c.header.toLowerCase() === column.header.toLowerCase())
    if (!definition.import) mistakes.push(`${where}: the type has no import, so it takes no import columns`)
    else if (taken) mistakes.push(`${where}: the import column '${column.header}' is already there`)
    if (!fields[column.field]) mistakes.push(`${where}: import column '${column.header}': there is no field '${column.field}'`)
  }
  for (const verb of extension.events ?? []) {
    if (!VERBS.includes(verb)) mistakes.push(`${where}: '${verb}' is not one of ${VERBS.join(', ')}`)
  }
  return mistakes
}

/** Reports what can be wrong with an extension. */
import { mistakesOfField } from './check-fields.js'
import { NAME } from './check-names.js'
import { type Definitions, hasField, mistakesOfCondition } from './check-paths.js'
import { type Definition, type Extension, VERBS } from './define-record.js'
import type { RuleBook } from './define-rule.js'

const PARTS: { readonly [name in keyof Required<Extension>]: true } = {
  extends: true,
  fields: true,
  lists: true,
  rules: true,
  events: true,
  importColumns: true,
  relax: true,
}

/** The mistakes of one extension, those before it taken into account. */
export function mistakesOfExtension(
  extension: Extension,
  extensions: readonly Extension[],
  all: Definitions,
  rules: RuleBook,
): string[] {
  const where = `extension of ${extension.extends}`
  const definition = all.get(extension.extends)
  if (!definition) return [`${where}: there is no such record type; known are ${[...all.keys()].join(', ')}`]
  const mistakes: string[] = []
  const say = (text: string) => mistakes.push(`${where}: ${text}`)
  const earlier = extensions.slice(0, extensions.indexOf(extension)).filter((e) => e.extends === extension.extends)
  for (const name of Object.keys(extension)) {
    if (!Object.hasOwn(PARTS, name)) say(`there is no '${name}' in an extension`)
  }
  for (const text of replaced(extension, earlier, definition)) say(text)
  const extended = {
    ...definition,
    fields: { ...definition.fields, ...Object.assign({}, ...earlier.map((e) => e.fields)), ...extension.fields },
  }
  for (const [name, field] of Object.entries(extension.fields ?? {})) {
    for (const text of mistakesOfField(name, field, extended, all)) say(`fields.${name}: ${text}`)
  }
  for (const [name, condition] of Object.entries(extension.lists ?? {})) {
    if (!NAME.test(name)) say(`lists.${name}: the name of a list is lower case letters, digits and underscores`)
    for (const text of mistakesOfCondition(condition, extended, all)) say(`lists.${name}: ${text}`)
  }
  for (const name of extension.relax ?? []) {
    if (!definition.fields[name]?.required) say(`relax: '${name}' is not a required field`)
  }
  for (const use of extension.rules ?? []) {
    const rule = Object.hasOwn(rules, use.rule) ? rules[use.rule] : undefined
    if (!rule) say(`there is no rule '${use.rule}'`)
    for (const field of rule?.fields?.(use) ?? []) {
      if (!hasField(extended, field)) say(`rules.${use.rule}: there is no field '${field}'`)
    }
  }
  for (const text of mistakesInColumns(extension, earlier, extended)) say(text)
  for (const verb of extension.events ?? []) {
    if (!VERBS.includes(verb)) say(`'${verb}' is not one of ${VERBS.join(', ')}`)
  }
  return mistakes
}

/** Nothing is replaced: the same name twice is a mistake that names both. */
function replaced(extension: Extension, earlier: readonly Extension[], definition: Definition): string[] {
  return (['fields', 'lists'] as const).flatMap((kind) =>
    Object.keys(extension[kind] ?? {}).flatMap((name) => {
      const isThere = Object.hasOwn(definition[kind] ?? {}, name)
      const taken = isThere
        ? definition.name
        : earlier.some((e) => Object.hasOwn(e[kind] ?? {}, name))
          ? 'another extension'
          : null
      return taken ? [`${kind}.${name} is already there, from ${taken}; an extension never replaces`] : []
    }),
  )
}

function mistakesInColumns(extension: Extension, earlier: readonly Extension[], extended: Definition): string[] {
  const known = [...(extended.import?.columns ?? []), ...earlier.flatMap((e) => e.importColumns ?? [])]
  const headers = known.map((column) => column.header.toLowerCase())
  return (extension.importColumns ?? []).flatMap((column) => {
    const mistakes: string[] = []
    if (!extended.import) mistakes.push('the type has no import, so it takes no import columns')
    else if (headers.includes(column.header.toLowerCase()))
      mistakes.push(`the import column '${column.header}' is already there`)
    headers.push(column.header.toLowerCase())
    if (!hasField(extended, column.field)) {
      mistakes.push(`import column '${column.header}': there is no field '${column.field}'`)
    }
    return mistakes
  })
}

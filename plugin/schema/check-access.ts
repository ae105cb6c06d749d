/** Reports what can be wrong with who may do what. */
import { ROLES } from '../core/call.js'
import { type Definitions, fieldOf, hasField, mistakesOfCondition } from './check-paths.js'
import type { Access, Definition } from './define-record.js'
import { PERSON, TEAM } from './foundation.js'
import { fieldNaming, type Grant, type Who } from './who.js'

/** What is wrong with the access part of a definition. */
export function mistakesOfAccess(access: Access, definition: Definition, all: Definitions): string[] {
  const mistakes: string[] = []
  for (const role of [...(access.use ?? []), ...(access.see?.roles ?? [])]) mistakes.push(...mistakesInRole(role))
  for (const [name, condition] of [
    ['see', access.see?.otherwise],
    ['foreign', access.foreign],
  ] as const) {
    if (condition) for (const text of mistakesOfCondition(condition, definition, all)) mistakes.push(`${name}: ${text}`)
  }
  for (const action of ['create', 'update', 'remove'] as const) {
    const grants: readonly Grant[] | undefined = access[action]
    if (grants !== undefined ? !Array.isArray(grants) : action !== 'remove')
      mistakes.push(`${action}: must be a list of grants`)
    for (const grant of Array.isArray(grants) ? (grants as readonly Grant[]) : []) {
      for (const text of mistakesInGrant(grant, action, definition)) mistakes.push(`${action}: ${text}`)
    }
  }
  return mistakes
}

function mistakesInGrant(grant: Grant, action: 'create' | 'update' | 'remove', definition: Definition): string[] {
  if (typeof grant !== 'object' || !('who' in grant)) return mistakesInWho(grant, definition)
  const { who, fields } = grant
  const unknown = fields.filter((field) => !hasField(definition, field)).map((field) => `there is no field '${field}'`)
  const mistakes = [...mistakesInWho(who, definition), ...unknown]
  const name = fieldNaming(who)
  if (mistakes.length > 0 || name === null || action !== 'create') return mistakes
  // Who is named in a field that is then ignored would make records of nobody.
  const [first = name] = fieldOf(definition, name)?.via?.split('.') ?? []
  return fields.includes(first) ? [] : [`who is meant by '${name}' must be able to set '${first}'`]
}

/** What is wrong with one of those who may do something; empty when nothing is. */
export function mistakesInWho(who: Who, definition: Definition): string[] {
  if (typeof who === 'object') {
    const name = fieldNaming(who) ?? ''
    const record = 'memberOf' in who ? TEAM : PERSON
    const field = fieldOf(definition, name)
    return field?.kind === 'ref' && field.record === record ? [] : [`'${name}' is not a reference to a ${record}`]
  }
  if (who === 'anyone') return []
  if (who !== 'self') return mistakesInRole(who)
  const isOfPerson = definition.name === PERSON || definition.partOf === '*' || definition.partOf?.includes(PERSON)
  return isOfPerson ? [] : [`'self' is only for the record type '${PERSON}' and its parts`]
}

/** What is wrong with the name of a role; empty when nothing is. */
export function mistakesInRole(role: string): string[] {
  return ROLES.some((known) => known === role) ? [] : [`there is no role '${role}'`]
}

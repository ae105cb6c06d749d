/** Reports what can be wrong with who may do what. */
import { ROLES } from '../core/call.js'
import { type Definitions, fieldOf, hasField, mistakesOfCondition } from './check-paths.js'
import type { Access, Definition } from './define-record.js'
import type { Grant, Who } from './fields.js'
import { PERSON, TEAM } from './foundation.js'

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
      const isLimited = typeof grant === 'object' && 'who' in grant
      for (const text of mistakesInWho(isLimited ? grant.who : grant, definition)) mistakes.push(`${action}: ${text}`)
      for (const field of isLimited ? grant.fields : []) {
        if (!hasField(definition, field)) mistakes.push(`${action}: there is no field '${field}'`)
      }
    }
  }
  return mistakes
}

/** What is wrong with one of those who may do something; empty when nothing is. */
export function mistakesInWho(who: Who, definition: Definition): string[] {
  if (typeof who === 'object') {
    const [name, record] = 'memberOf' in who ? [who.memberOf, TEAM] : [who.person, PERSON]
    const field = fieldOf(definition, name)
    return field?.kind === 'ref' && field.record === record ? [] : [`'${name}' is not a reference to a ${record}`]
  }
  if (who === 'anyone') return []
  if (who !== 'self') return mistakesInRole(who)
  const isOfPerson = definition.name === PERSON || definition.partOf === '*' || definition.partOf?.includes(PERSON)
  return isOfPerson ? [] : [`'self' is only for the record type '${PERSON}' and its parts`]
}

function mistakesInRole(role: string): string[] {
  return ROLES.some((known) => known === role) ? [] : [`there is no role '${role}'`]
}

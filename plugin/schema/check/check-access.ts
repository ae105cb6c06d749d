/** Reports mistakes in permissions. */
import { ROLES } from '../../core/call.js'
import { suggestion } from '../../core/text/nearest.js'
import { PERSON, TEAM } from '../language/built-in-types.js'
import type { Condition } from '../language/conditions.js'
import type { Access, Definition } from '../language/define-record.js'
import { pathOf } from '../language/derived.js'
import { fieldNaming, type Grant, grantName, type Who } from '../language/who.js'
import { type Definitions, fieldOf, hasField, mistakesOfCondition } from './check-paths.js'

/** One mistake, and the part that an extension may have added, by its name in `merge.ts`. */
export interface AccessMistake {
  readonly text: string
  readonly part: string
}

/** Mistakes in the access part of a definition. */
export function mistakesOfAccess(access: Access, definition: Definition, all: Definitions): readonly AccessMistake[] {
  const mistakes: AccessMistake[] = []
  const report = (part: string, texts: readonly string[]) => {
    for (const text of texts) mistakes.push({ text, part: `access.${part}` })
  }
  for (const role of access.use ?? []) report(`use=${role}`, mistakesInRole(role))
  for (const role of access.see?.roles ?? []) report(`see.roles=${role}`, mistakesInRole(role))
  const { fromTrusted, see } = access
  const within = (name: string, texts: readonly string[]) => texts.map((text) => `${name}: ${text}`)
  for (const [index, condition] of (see ? conditionsIn(see.otherwise) : []).entries()) {
    report(`see.otherwise=${index}`, within('see', mistakesOfCondition(condition, definition, all)))
  }
  if (fromTrusted) report('fromTrusted', within('fromTrusted', mistakesOfCondition(fromTrusted, definition, all)))
  for (const action of ['create', 'update', 'remove'] as const) {
    const grants: readonly Grant[] | undefined = access[action]
    if (grants !== undefined ? !Array.isArray(grants) : action !== 'remove')
      report(action, [`${action}: must be a list of grants`])
    for (const grant of Array.isArray(grants) ? (grants as readonly Grant[]) : []) {
      report(`${action}=${grantName(grant)}`, within(action, mistakesInGrant(grant, action, definition)))
    }
  }
  return mistakes
}

/** The condition, or the members of `anyOf`: extensions add to them (`merge-access.ts`). */
function conditionsIn(condition: Condition): readonly Condition[] {
  return 'anyOf' in condition && Array.isArray(condition.anyOf) ? condition.anyOf : [condition]
}

function mistakesInGrant(grant: Grant, action: 'create' | 'update' | 'remove', definition: Definition): string[] {
  if (typeof grant !== 'object' || !('who' in grant)) return mistakesInWho(grant, definition)
  const { who, fields } = grant
  const unknown = fields.filter((field) => !hasField(definition, field)).map((field) => `there is no field '${field}'`)
  const mistakes = [...mistakesInWho(who, definition), ...unknown]
  const name = fieldNaming(who)
  if (mistakes.length > 0 || name === null || action !== 'create') return mistakes
  // On create the person is taken from the body: if the field is ignored, the grant applies to no records.
  const [first = name] = pathOf(fieldOf(definition, name) ?? {}) ?? []
  return fields.includes(first)
    ? []
    : [`the grant for '${name}' must list '${first}' in its fields; otherwise it is ignored on create`]
}

/** Mistakes in one `who` of a permission; empty if there are none. */
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
  return isOfPerson ? [] : [`'self' is only for the record type '${PERSON}' and its sub-records`]
}

/** Mistakes in the name of a role; empty if there are none. */
export function mistakesInRole(role: string): string[] {
  return ROLES.some((known) => known === role) ? [] : [`there is no role '${role}'${suggestion(role, ROLES)}`]
}

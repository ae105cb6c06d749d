/** Reports mistakes in a field. */
import { suggestion } from '../../core/text/nearest.js'
import { kindOf } from '../kinds/kinds.js'
import { NOTE, PERSON } from '../language/built-in-types.js'
import type { Definition } from '../language/define-record.js'
import type { Field } from '../language/field.js'
import { mistakesInRole, mistakesInWho } from './check-access.js'
import { mistakesInDerived, mistakesInReaders } from './check-derived.js'
import { mistakesInOptions } from './check-options-of-fields.js'
import { type Definitions, fieldOf, hasColumn, hasField, isPartOf } from './check-paths.js'

/** Columns that every table has in addition to the fields. */
const RESERVED = new Set(['account', 'account_id', 'owner_type', 'owner_id'])

/** Mistakes in one field of a definition (extensions included). */
export function mistakesOfField(name: string, field: Field, definition: Definition, all: Definitions): string[] {
  const mistakes = [...mistakesInName(name, field, definition), ...mistakesInOptions(name, field)]
  const { kind } = field
  if (field.required && field.readOnly && field.default === undefined && kind !== 'ref') {
    mistakes.push('a read-only field cannot be required of a caller')
  }
  const { defaults = 'string', mistakes: more } = kindOf(field)
  if (more) mistakes.push(...more(field))
  if (field.default !== undefined && typeof field.default !== defaults) {
    mistakes.push(`the default ${JSON.stringify(field.default)} is not a valid ${kind}`)
  }
  if (field.minimum !== undefined && field.maximum !== undefined && field.minimum > field.maximum) {
    mistakes.push('the minimum is greater than the maximum')
  }
  mistakes.push(...mistakesInBounds(field))
  mistakes.push(...mistakesInRelation(name, field, definition, all))
  mistakes.push(...mistakesInDerived(field, definition, all))
  for (const other of [field.keyedBy, field.shownWith]) {
    if (other !== undefined && !hasField(definition, other)) mistakes.push(`there is no field '${other}'`)
  }
  if (field.keyedBy && !isEnumeration(definition.fields[field.keyedBy])) {
    mistakes.push(`'${field.keyedBy}' must be an enumeration field, because keyedBy uses its value as a name`)
  }
  if (field.shownWith === name) mistakes.push('a field cannot be shown with itself')
  if (field.inputAs !== undefined && hasField(definition, field.inputAs)) {
    mistakes.push(`'${field.inputAs}' is already a field, so it cannot be another name`)
  }
  if (field.guardedBy !== undefined) mistakes.push(...mistakesInGuard(field, field.guardedBy, definition))
  if (field.read?.length === 0) mistakes.push('read must not be empty; use writeOnly for a value that is never shown')
  for (const who of [...(field.read ?? []), ...(field.write ?? [])]) mistakes.push(...mistakesInWho(who, definition))
  return mistakes
}

/** Bounds and defaults that no value can have. */
function mistakesInBounds({ kind, default: value, max, maximum, minimum }: Field): string[] {
  const mistakes: string[] = []
  const [least, most] = [minimum ?? Number.NEGATIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY]
  if (typeof value === 'string' && max !== undefined && value.length > max) {
    mistakes.push(`the default has more than ${max} characters`)
  }
  if (typeof value === 'number' && (value < least || value > most)) {
    mistakes.push(`the default ${value} is not within the minimum and the maximum`)
  }
  const isWhole = [value, minimum, maximum].every((one) => typeof one !== 'number' || Number.isInteger(one))
  if (kind === 'integer' && !isWhole) mistakes.push('the minimum, the maximum and the default of an integer must be whole')
  return mistakes
}

function isEnumeration(field: Field | undefined): boolean {
  return field !== undefined && kindOf(field).isEnumeration === true
}

function mistakesInGuard(field: Field, role: string, { name }: Definition): string[] {
  if (name !== PERSON) return [`only fields of the record type '${PERSON}' are guarded by a role`]
  return [...mistakesInRole(role), ...(hasColumn(field) ? [] : ['only a stored field can be guarded'])]
}

function mistakesInName(name: string, field: Field, definition: Definition): string[] {
  const mistakes: string[] = []
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) mistakes.push('a field name must be letters, digits and underscores')
  if (RESERVED.has(name) || name in Object.prototype) mistakes.push('this name is reserved')
  // Derived fields may have the name of a reference's column in responses (change_manager_id; behaviour: Change templates).
  if (/_ids?$/.test(name) && !field.derived) {
    mistakes.push("must not end in '_id': callers write references as <field>_id")
  }
  const lower = name.toLowerCase()
  const isTwin = (other: string) => other.length === name.length && other !== name && other.toLowerCase() === lower
  const twin = Object.keys(definition.fields).find(isTwin)
  if (twin !== undefined) mistakes.push(`'${name}' and '${twin}' need the same column, because column names ignore case`)
  return mistakes
}

/** Checks references, links, sub-records, owners and notes: the other type must exist, and must relate to this one. */
function mistakesInRelation(name: string, field: Field, definition: Definition, all: Definitions): string[] {
  const { kind } = field
  const other = all.get(field.record ?? '')
  if (!other && (kind === 'ref' || kind === 'refs' || kind === 'parts' || kind === 'part')) {
    const near = suggestion(field.record ?? '', all.keys())
    return field.whenPresent ? [] : [`there is no record type '${field.record}'; set whenPresent if it may be absent${near}`]
  }
  const mistakes = [...mistakesInReference(field, other), ...mistakesInLink(name, field, definition)]
  if ((kind === 'parts' || kind === 'part') && other) {
    if (!isPartOf(other, definition)) mistakes.push(`${other.name} must list ${definition.name} in its partOf`)
    for (const shown of field.shows ?? []) {
      if (!hasField(other, shown)) mistakes.push(`${other.name} has no field '${shown}'`)
    }
  }
  if (kindOf(field).needsOwner && !definition.partOf) mistakes.push('only sub-records have an owner; set partOf')
  if (field.note && !isPartOf(all.get(NOTE), definition)) {
    mistakes.push(`a note needs the record type '${NOTE}' among the parts of ${definition.name}`)
  }
  return mistakes
}

function mistakesInReference(field: Field, other: Definition | undefined): string[] {
  const { shownAs } = field
  if (shownAs === undefined || field.kind !== 'ref') return []
  const text = fieldOf(other, shownAs)
  if (!text) return [`${other?.name} has no field '${shownAs}'`]
  const isUnique = other?.unique?.some((group) => group.join() === shownAs)
  if (text.kind === 'string' && hasColumn(text) && isUnique) return mistakesInReaders(field, text, shownAs)
  return [`'${shownAs}' of ${other?.name} is not a stored, unique string, so it cannot identify the record`]
}

/** Checks fields that show a link. */
function mistakesInLink(name: string, field: Field, definition: Definition): string[] {
  const shows = ['refs', 'mention'].includes(field.kind) || field.derived !== undefined
  if (!shows && Object.hasOwn(definition.links ?? {}, name)) return [`'${name}' is a link; refs() shows it`]
  const linkName = field.kind === 'refs' ? name : field.firstOf
  if (linkName === undefined || (field.kind !== 'refs' && field.kind !== 'ref')) return []
  const link = Object.hasOwn(definition.links ?? {}, linkName) ? definition.links?.[linkName] : undefined
  if (!link) return [`there is no link '${linkName}'`]
  return link.record === field.record ? [] : [`the link '${linkName}' leads to ${link.record} and not to ${field.record}`]
}

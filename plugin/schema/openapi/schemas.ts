/** The component schemas of a record type: in full, in lists, as a reference, and as input. */
import type { Catalog, RecordType } from '../catalog.js'
import { attachmentInputsOf } from '../derive/attachment-inputs.js'
import { isOnRequest } from '../derive/shape.js'
import { shownUnseen } from '../derive/shape-writers.js'
import {
  choicesInside,
  componentName,
  enumerationName,
  formOf,
  ID,
  insideName,
  type JsonSchema,
  referenceTo,
  schemaNamed,
  TEXT,
  timeOrWords,
} from '../kinds/json-schema.js'
import { kindOf } from '../kinds/kinds.js'
import { isOwnerType } from '../language/derived.js'
import { described, type Labels, valueLabels } from './describe-field.js'
import { inputSchemas } from './inputs.js'
import { extended, objectOf, pick, repeated } from './object-schemas.js'
import { orNull, shownSchema } from './values.js'

export type Schemas = { readonly [name: string]: JsonSchema }

/**
 * - `Request`: the single record; `NoteBelow`: the same below its owner, for sub-records
 * - `RequestListed`, `NoteListedBelow`: a record of a collection, with the fields that the caller selects
 * - `AttachmentInside`: a sub-record inside its owner
 * - `RequestReference`; `RequestOwner`: the same for the owner of a sub-record that may outlive it
 * - `RequestCreate` and `RequestUpdate` for input; `ContactAttributes`: a sub-record within the body of its owner
 * - `RequestStatus`: the values of an enumeration
 */
export function schemasOf(type: RecordType, catalog: Catalog, labels: Labels): Schemas {
  const isPart = type.partOf.length > 0
  const full = shownFields(type, catalog, labels, false)
  const below = isPart ? shownFields(type, catalog, labels, true) : full
  const inside = [...choicesInside(type, catalog).values()].map(({ shows }) => {
    const properties = pick(below.properties, shows)
    const always = shows.filter((name) => name in properties)
    return [componentName(insideName(type, shows, catalog)), objectOf(withAccount(properties), always)] as const
  })
  const name = (form?: 'below' | 'listed' | 'listed_below' | 'reference' | 'owner') =>
    componentName(form ? formOf(type.name, form) : type.name)
  return {
    [name()]: recordSchema(full, formOf(type.name, 'listed'), type),
    [name('listed')]: listedSchema(full, type, catalog),
    [name('reference')]: referenceSchema(type, catalog),
    [name('owner')]: ownerSchema(type, catalog),
    ...inputSchemas(type, catalog, labels),
    ...(isPart
      ? {
          [name('below')]: recordSchema(below, formOf(type.name, 'listed_below'), type),
          [name('listed_below')]: listedSchema(below, type, catalog),
        }
      : {}),
    ...Object.fromEntries(inside),
    ...enumerationsOf(type, catalog, labels),
  }
}

function enumerationsOf(type: RecordType, catalog: Catalog, labels: Labels): Schemas {
  const fields = [...type.fields.values()].filter((field) => kindOf(field).isEnumeration && field.values?.length)
  const withWords = [...type.fields.values()].flatMap(({ keywords }) => (keywords ? [keywords] : []))
  return {
    ...Object.fromEntries(
      fields.map(({ enumeration, values = [] }) => [
        componentName(enumerationName(enumeration, catalog)),
        { type: 'string', enum: values, ...valueLabels(enumeration, values, labels) },
      ]),
    ),
    ...Object.fromEntries(withWords.map((words) => [componentName(timeOrWords(words)), timeOrWordsSchema(words)])),
  }
}

/** One type for both: of a choice of two texts, generators make a class, or nothing. */
function timeOrWordsSchema(words: readonly string[]): JsonSchema {
  return {
    type: 'string',
    pattern: `^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(Z|[+-]\\d\\d:\\d\\d)|${words.join('|')})$`,
    description: `A time, as in RFC 3339, or one of the words ${words.join(', ')}.`,
  }
}

interface Shown {
  readonly properties: { readonly [name: string]: JsonSchema }
  /** Properties that every single record has. */
  readonly always: readonly string[]
}

function shownFields(type: RecordType, catalog: Catalog, labels: Labels, isBelow: boolean): Shown {
  const properties: Record<string, JsonSchema> = {}
  const always: string[] = []
  for (const field of type.fields.values()) {
    const isOwnership = field.kind === 'owner' || isOwnerType(field)
    // Only a response to the save that has made it has a secret.
    const isShownOnce = kindOf(field).secret?.isShownOnce === true && !field.readOnly
    if (field.writeOnly || (field.hidden && !isShownOnce) || (isBelow && isOwnership)) continue
    if (field.kind === 'owner') {
      // The owner has the name of its type, so one of these properties is present.
      for (const owner of type.partOf)
        properties[owner] = described(ownerShown(catalog.type(owner), catalog), field, type, labels)
    } else if (field.keyedBy) {
      for (const name of type.fields.get(field.keyedBy)?.values ?? [])
        properties[name] = described(shownSchema(field, type, catalog), field, type, labels)
    } else {
      properties[field.name] = described(shownSchema(field, type, catalog), field, type, labels)
      if (!field.onlyWhenSet && !isOnRequest(field) && !isShownOnce) always.push(field.name)
    }
  }
  return { properties, always }
}

/** A single record has all fields that a record in a list may have; of these, some are repeated (`extended`). */
function recordSchema({ always, properties }: Shown, listed: string, { title }: RecordType): JsonSchema {
  const known = ['id', title ?? ''].filter((name) => name in properties && always.includes(name))
  return extended(schemaNamed(listed), repeated(properties, known), { required: always })
}

function listedSchema({ properties }: Shown, type: RecordType, catalog: Catalog): JsonSchema {
  const takesFiles = attachmentInputsOf(type, catalog).size > 0
  const upload = takesFiles ? { storage_upload: schemaNamed('storage_upload') } : {}
  return objectOf(withAccount({ ...properties, ...upload }), ['id'])
}

/** Records of other accounts than the caller's include their account (spec, Conventions 10). */
function withAccount(properties: Shown['properties']) {
  return { ...properties, account: schemaNamed('account_reference') }
}

function referenceSchema(type: RecordType, catalog: Catalog): JsonSchema {
  const { properties, always } = referenceParts(type, catalog)
  const shownToAll = always.length > 0 ? `id, ${always.join(', ')}` : 'its id alone'
  return {
    description: `Who does not see the record gets ${shownToAll}.`,
    ...objectOf(withAccount(properties), ['id', ...always]),
  }
}

/** The history of a record stays after its removal; then only the id of the record is left. */
function ownerSchema(type: RecordType, catalog: Catalog): JsonSchema {
  const { properties } = referenceParts(type, catalog)
  return {
    description: 'Its id alone when the record was removed.',
    ...objectOf(withAccount(properties), ['id']),
  }
}

/** The reference to an owner: that of all references, if these may have their id alone as well. */
function ownerShown(type: RecordType, catalog: Catalog): JsonSchema {
  const isReference = referenceParts(type, catalog).always.length === 0
  return isReference ? referenceTo(type.name) : schemaNamed(formOf(type.name, 'owner'))
}

function referenceParts(type: RecordType, catalog: Catalog): Shown {
  const shown = (name: string): readonly [string, JsonSchema] => {
    const field = type.fields.get(name)
    if (!field) return [name, TEXT]
    const schema = shownSchema(field, type, catalog)
    return [name, '$ref' in schema ? orNull(schema) : schema]
  }
  const own = [...(type.title ? [shown(type.title)] : []), ...type.reference.map(shown)]
  const properties = {
    id: ID,
    ...Object.fromEntries(own),
    ...(type.columns.has('sourceID') ? { sourceID: { type: 'string', maxLength: 128 } } : {}),
    ...(type.columns.has('disabled') ? { disabled: { type: 'boolean', const: true } } : {}),
  }
  const always = type.title === null ? [] : shownUnseen(type).filter((name) => name in properties && name !== 'id')
  return { properties, always }
}

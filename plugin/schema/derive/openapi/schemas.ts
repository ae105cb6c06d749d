/** The component schemas of a record type: in full, in lists, as a reference, and as callers send it. */
import type { Catalog, RecordField, RecordType } from '../../compile.js'
import { attachmentInputsOf } from '../attachment-inputs.js'
import { inputNameOf, isWritable, partChangesOf } from '../input-names.js'
import { isOnRequest } from '../shape.js'
import { shownUnseen } from '../shape-writers.js'
import {
  ACCEPTED_FILES,
  ACCEPTED_ID,
  ACCEPTED_IDS,
  acceptedChangesOf,
  acceptedSchema,
  type JsonSchema,
  orNull,
  referenceTo,
  schemaNamed,
  shownSchema,
} from './values.js'

export type Schemas = { readonly [name: string]: JsonSchema }

/** Schemas that belong to no record type. */
export const SHARED_SCHEMAS: Schemas = {
  id_only: objectOf({ id: { type: 'integer', minimum: 1 } }, ['id']),
  account_reference: objectOf({ id: { type: 'string' }, name: { type: 'string' } }, ['id', 'name']),
  storage_upload: {
    ...objectOf(
      {
        provider: { type: 'string', enum: ['local'] },
        upload_uri: { type: 'string' },
        upload_path: { type: 'string' },
        ...Object.fromEntries(
          ['access_key', 'policy', 'signature', 'success_url'].map((name) => [name, { type: 'null' }] as const),
        ),
      },
      ['provider', 'upload_uri', 'upload_path'],
    ),
    description:
      'How older clients upload files: POST to upload_uri with `key`, the path and the name of the file, and `file`.',
  },
  error: objectOf({ message: { type: 'string' } }, ['message']),
  validation_error: objectOf(
    {
      message: { type: 'string' },
      errors: {
        type: 'array',
        description: 'Field and sentence of everything that is wrong.',
        items: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }], minItems: 2, maxItems: 2 },
      },
    },
    ['message', 'errors'],
  ),
}

/**
 * - `<type>`: the single record; `<type>_below`: the same below its owner, for parts
 * - `<type>_listed`, `<type>_listed_below`: a record of a collection; which fields it has is the caller's choice
 * - `<type>_shown_<fields>`: a part inside its owner
 * - `<type>_reference`, and `<type>_input` for creating and updating
 */
export function schemasOf(type: RecordType, catalog: Catalog): Schemas {
  const isPart = type.partOf.length > 0
  const full = shownFields(type, catalog, false)
  const below = isPart ? shownFields(type, catalog, true) : full
  return {
    [type.name]: recordSchema(type, full, catalog),
    [`${type.name}_listed`]: listedSchema(type, full),
    [`${type.name}_reference`]: referenceSchema(type, catalog),
    [`${type.name}_input`]: inputSchema(type, catalog),
    ...(isPart
      ? { [`${type.name}_below`]: recordSchema(type, below, catalog), [`${type.name}_listed_below`]: listedSchema(type, below) }
      : {}),
    ...Object.fromEntries(
      shownInside(type, catalog).map((names) => {
        const properties = Object.fromEntries(Object.entries(below.properties).filter(([name]) => names.includes(name)))
        return [
          `${type.name}_shown_${names.join('_')}`,
          objectOf(
            withAccount(properties),
            names.filter((n) => n in properties),
          ),
        ]
      }),
    ),
  }
}

interface Shown {
  readonly properties: { readonly [name: string]: JsonSchema }
  /** Properties that every single record has. */
  readonly always: readonly string[]
}

function shownFields(type: RecordType, catalog: Catalog, isBelow: boolean): Shown {
  const properties: Record<string, JsonSchema> = {}
  const always: string[] = []
  for (const field of type.fields.values()) {
    const isOwnership = field.kind === 'owner' || field.sameAs === 'owner_type'
    if (field.writeOnly || field.hidden || (isBelow && isOwnership)) continue
    if (field.kind === 'owner') {
      // It stands under the name of its type: one of these is there. A history outlives its record, of which the id is left.
      for (const owner of type.partOf) properties[owner] = { anyOf: [referenceTo(owner), schemaNamed('id_only')] }
    } else if (field.keyedBy) {
      for (const name of type.fields.get(field.keyedBy)?.values ?? []) properties[name] = shownSchema(field, type, catalog)
    } else {
      properties[field.name] = shownSchema(field, type, catalog)
      if (!field.onlyWhenSet && !isOnRequest(field)) always.push(field.name)
    }
  }
  return { properties, always }
}

function recordSchema(type: RecordType, { properties, always }: Shown, catalog: Catalog): JsonSchema {
  const takesFiles = attachmentInputsOf(type, catalog).size > 0
  const upload = takesFiles ? { storage_upload: schemaNamed('storage_upload') } : {}
  return { title: type.name, ...objectOf(withAccount({ ...properties, ...upload }), always) }
}

function listedSchema(type: RecordType, { properties }: Shown): JsonSchema {
  return { title: `${type.name} in a list`, ...objectOf(withAccount(properties), ['id']) }
}

/** Records of other accounts than the caller's say whose they are (spec, Conventions 10). */
function withAccount(properties: { readonly [name: string]: JsonSchema }) {
  return { ...properties, account: schemaNamed('account_reference') }
}

function referenceSchema(type: RecordType, catalog: Catalog): JsonSchema {
  const shown = (name: string): readonly [string, JsonSchema] => {
    const field = type.fields.get(name)
    return [name, field ? orNullable(shownSchema(field, type, catalog)) : { type: 'string' }]
  }
  const own = [...(type.title ? [shown(type.title)] : []), ...type.reference.map(shown)]
  const properties = {
    id: { type: 'integer', minimum: 1 },
    ...Object.fromEntries(own),
    ...(type.columns.has('sourceID') ? { sourceID: { type: 'string' } } : {}),
    ...(type.columns.has('disabled') ? { disabled: { type: 'boolean', const: true } } : {}),
  }
  const always = type.title === null ? [] : shownUnseen(type).filter((name) => name in properties && name !== 'id')
  const shownToAll = always.length > 0 ? `id, ${always.join(', ')}` : 'its id alone'
  return {
    title: `reference to ${type.name}`,
    description: `Callers who do not see the record get ${shownToAll}.`,
    ...objectOf(withAccount(properties), ['id', ...always]),
  }
}

function orNullable(schema: JsonSchema): JsonSchema {
  return '$ref' in schema ? orNull(schema) : schema
}

function inputSchema(type: RecordType, catalog: Catalog): JsonSchema {
  const fields = [...type.fields.values()].filter((field) => isAccepted(field, catalog))
  const links = [...type.links].filter(([, link]) => link.write !== 'none')
  const keyed = fields.filter((field) => field.keyedBy)
  return {
    title: `${type.name} as it is sent`,
    type: 'object',
    description: 'Absent fields stay as they are. Read-only and unknown ones are ignored, unknown …_attachments are refused.',
    properties: Object.fromEntries([
      ...fields.flatMap((field) => inputsOf(field)),
      ...keyed.flatMap((field) =>
        (type.fields.get(field.keyedBy ?? '')?.values ?? []).map((name) => [name, acceptedSchema(field)] as const),
      ),
      ...[...attachmentInputsOf(type, catalog).keys()].map((name) => [name, ACCEPTED_FILES] as const),
      ...[...partChangesOf(type, catalog)].map(([name, { record }]) => [name, acceptedChangesOf(record ?? '')] as const),
      ...links.map(([name]) => [inputNameOf(type, name), ACCEPTED_IDS] as const),
    ]),
  }
}

function isAccepted(field: RecordField, catalog: Catalog): boolean {
  return isWritable(field) && field.write?.length !== 0 && (field.record === undefined || catalog.types.has(field.record))
}

/** A reference is sent as `<field>_id`, as that id, an object with it, or the text that stands for it (gaps 1.14, 12.1). */
function inputsOf(field: RecordField): readonly (readonly [name: string, schema: JsonSchema])[] {
  if (field.kind !== 'ref') return [[field.name, acceptedSchema(field)]]
  const names = [field.name, ...(field.inputAs ? [field.inputAs] : [])]
  return names.flatMap((name) => [
    [`${name}_id`, ACCEPTED_ID] as const,
    [name, { type: ['object', 'null', 'integer', 'string'], properties: { id: ACCEPTED_ID } }] as const,
  ])
}

/** Which choices of fields of this part type owners show. */
function shownInside(type: RecordType, catalog: Catalog): readonly (readonly string[])[] {
  const choices = new Map<string, readonly string[]>()
  for (const owner of catalog.types.values()) {
    for (const { record, shows } of owner.fields.values()) {
      if (record === type.name && shows) choices.set(shows.join(), shows)
    }
  }
  return [...choices.values()]
}

function objectOf(properties: { readonly [name: string]: JsonSchema }, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

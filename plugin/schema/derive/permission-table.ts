/** Permissions of a catalog as plain data: the same definitions that decide about each call, in one shape for all types. */
import type { Role } from '../../core/call.js'
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { PROVENANCE, PROVENANCE_CHANGERS } from '../kinds/common-fields.js'
import type { Condition } from '../language/conditions.js'
import type { Operation } from '../language/define-record.js'
import { type Grant, isLimited, type Who } from '../language/who.js'

/** A permission for an action. */
export interface Permission {
  /** A role, `anyone`, `self`, `{ person: field }` (the person in that field), or `{ memberOf: field }` (members of that team). */
  readonly who: Who
  /** Names of the only fields that this permission covers; null for all fields. */
  readonly fields: readonly string[] | null
}

/** The records of a type that people see, before the `scope` hook of the host. */
export interface SeenRecords {
  /** Roles that see all records of the account; null if all people do. */
  readonly all: readonly Role[] | null
  /** The condition that records meet which all other people see, in the form of `lists`; null if all people see all records. */
  readonly otherwise: Condition | null
  /** The condition for records of trusted accounts that are in the lists of this account, too; null if there are none. */
  readonly ofTrustedAccounts: Condition | null
  /** True for sub-records: people must also see the record that these belong to. */
  readonly withOwner: boolean
}

/** Permissions for one field. */
export interface FieldPermissions {
  /** The name in bodies and responses. */
  readonly name: string
  /** People who may read it in records that they see; null for all of them. Other people can neither filter nor sort by it. */
  readonly read: readonly Who[] | null
  /** People who may set it in new records that they may create; null for all of them, an empty list for none. */
  readonly create: readonly Who[] | null
  /** People who may change it in records that they may update; null for all of them, an empty list for none. */
  readonly update: readonly Who[] | null
  /** Only people with this role may change the field in records of people with the same role. */
  readonly guardedBy: Role | null
  /** True if the plugin sets it, and no input has it. */
  readonly readOnly: boolean
}

/** Permissions for the records of one type, before the `authorize` hook of the host. */
export interface RecordPermissions {
  /** Name of the record type. */
  readonly type: string
  /** Last segment of the URL of its lists. */
  readonly path: string
  /** For sub-records: last segment of the URL of their lists below their owners; else null. */
  readonly below: string | null
  /** Types that these sub-records belong to; empty for other records. */
  readonly owners: readonly string[]
  /** People who may read records that they see; for others all calls are 403. */
  readonly read: readonly Permission[]
  /** The records that people see. */
  readonly sees: SeenRecords
  /** People who may create records; null if the API does not offer it. */
  readonly create: readonly Permission[] | null
  /** People who may change records; null if the API does not offer it. */
  readonly update: readonly Permission[] | null
  /** People who may remove records; null if the API does not offer it. */
  readonly remove: readonly Permission[] | null
  /** In the order of responses. Fields that no request and no response contains are omitted. */
  readonly fields: readonly FieldPermissions[]
}

/** The permissions of all types, in catalog order. Copies: a reader who changes them does not change what people may do. */
export function permissionsOf(catalog: Catalog): readonly RecordPermissions[] {
  return structuredClone([...catalog.types.values()].map((type) => ofType(catalog, type)))
}

function ofType(catalog: Catalog, type: RecordType): RecordPermissions {
  const { access, name, path, partOf } = type
  const offered = (operation: Operation, grants: readonly Grant[] = []) =>
    isOffered(catalog, type, operation) ? grants.map(permissionOf) : null
  return {
    type: name,
    path,
    below: pathBelow(catalog, type),
    owners: [...partOf],
    read: (access.use ?? ['anyone' as const]).map(permissionOf),
    sees: {
      all: access.see ? [...access.see.roles] : null,
      otherwise: access.see?.otherwise ?? null,
      ofTrustedAccounts: access.fromTrusted ?? null,
      withOwner: partOf.length > 0,
    },
    create: offered('create', access.create),
    update: offered('update', access.update),
    remove: offered('remove', access.remove),
    fields: [...type.fields.values()].filter((field) => !(field.hidden && field.readOnly)).map(ofField),
  }
}

function ofField(field: RecordField): FieldPermissions {
  const { guardedBy = null, name, only, read = null, readOnly = false, write = null } = field
  const nobody = readOnly ? [] : null
  return {
    name,
    read: field.writeOnly || field.hidden ? [] : read,
    create: nobody ?? write,
    update: nobody ?? (only === 'create' ? [] : PROVENANCE.has(name) ? PROVENANCE_CHANGERS : write),
    guardedBy,
    readOnly,
  }
}

function pathBelow(catalog: Catalog, { name, partOf }: RecordType): string | null {
  const [owner] = partOf
  const found = owner === undefined ? undefined : [...catalog.type(owner).parts].find(([, part]) => part === name)
  return found?.[0] ?? null
}

function permissionOf(grant: Grant): Permission {
  return isLimited(grant) ? { who: grant.who, fields: [...grant.fields] } : { who: grant, fields: null }
}

/** True if some URL offers the operation. */
export function isOffered(catalog: Catalog, { name, nested, operations }: RecordType, operation: Operation): boolean {
  if (operations.has(operation) || nested.has(operation)) return true
  const children = [...catalog.types.values()].flatMap((owner) => [...owner.children.values()])
  return operation === 'create' && children.some(({ record, createdWith }) => record === name && createdWith !== null)
}

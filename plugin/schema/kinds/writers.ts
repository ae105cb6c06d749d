/**
 * Writers of fields in a response, for kinds of fields and for the rest of a shape: what they write to, what they get of the
 * call, and what they ask of the shape that is being built.
 */
import type { Instant } from '../../core/clock.js'
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import type { Json } from '../language/field.js'
import type { Who } from '../language/who.js'
import { recordOf } from './kind.js'

/** Data and functions of the call that writing a row needs. */
export interface WriteContext {
  /** Home account of the caller; records of other accounts include their account (spec, Conventions 10). */
  readonly homeAccountId: string
  accountName(id: string): string
  /** Formats a timestamp, also one as DATETIME columns hold it: `2026-11-21 09:30:00`, in UTC. */
  formatInstant(moment: Instant): string
  /** The URL for downloading the file with the key, valid for a limited time. */
  downloadAddress(key: string): string
  /** The URL of a picture, whether it is one of our files or not. */
  pictureAddress(value: string): string
  /** True if the caller may read values reserved for `who`; `row` returns the columns that `who` refers to. */
  mayRead(who: Who, row: (column: string) => unknown): boolean
  /** Related rows of a record for a field, in order: sub-records, or references to linked records. */
  related(field: RecordField, ownerId: number): readonly Json[]
  /** True if the caller sees the record, which is in this account: references to other records are reduced. */
  sees(type: string, id: number, account: unknown): boolean
  /** True if the caller sees all sub-records of the type in records that it sees. */
  seesParts(type: string): boolean
  /** A reference to a record that is not joined: owners of sub-records, causes of changes. */
  reference(type: string, id: number): Json
}

export type Output = { [field: string]: Json }

/** The slots with the id and the account of a referenced record. */
export interface Referred {
  readonly type: string
  readonly idSlot: number
  readonly accountSlot: number
}

/** A record of any type. */
export interface Mentioned {
  readonly type: string
  readonly id: number
}

/** The record of any type that a row names; null for none. */
export type Mention = (cells: readonly unknown[]) => Mentioned | null

/** Writes a part of a response: adds its attribute to the output. */
export type Writer = (output: Output, cells: readonly unknown[], context: WriteContext) => void

/** A value in a response. */
export type Value = (cells: readonly unknown[], context: WriteContext) => Json

/** The shape that is being built. */
export interface ShapeBuilder {
  readonly type: RecordType
  readonly catalog: Catalog
  /** The index in the row of the value at the end of a path. */
  slot(...path: string[]): number
  /** Registers a field of another table that has to be loaded for the whole page. */
  load(field: RecordField): void
  /** Registers a reference in the response to a record that the caller may not see. */
  refer(referred: Referred): void
  /** Registers a record of any type whose reference has to be loaded for the whole page. */
  mention(of: Mention): void
  /** Registers copies of sub-records of a type, whose name is in this slot: the caller may not see them all. */
  copy(typeSlot: number): void
}

/** Arguments for kinds of fields with writers of their own. */
export interface FieldShapeBuilder extends ShapeBuilder {
  /** The writer of a field that refers to one record. */
  referred(field: RecordField): Writer
}

/** The writer of one attribute. */
export function put(name: string, value: Value): Writer {
  return (output, cells, context) => {
    output[name] = value(cells, context)
  }
}

/** Related rows of a field, loaded for the whole page: sub-records, or linked records. Empty for absent types. */
export function relatedIn(field: RecordField, { catalog, slot, load }: ShapeBuilder) {
  if (!recordOf(field, catalog)) return () => []
  load(field)
  const id = slot('id')
  return (cells: readonly unknown[], context: WriteContext): readonly Json[] => context.related(field, Number(cells[id]))
}

/** Writers of fields in a response, for kinds of fields and for the rest of a shape. */
import type { RecordField } from '../compile/compile.js'
import { recordOf } from '../kinds/kind.js'
import type { Json } from '../language/field.js'
import type { Output, WriteContext } from './shape.js'
import type { ShapeBuilder } from './shape-writers.js'

/** Writes a part of a response: adds its attribute to the output. */
export type Writer = (output: Output, cells: readonly unknown[], context: WriteContext) => void

/** A value in a response. */
export type Value = (cells: readonly unknown[], context: WriteContext) => Json

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

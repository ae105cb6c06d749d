/** How a field is written into an answer, for kinds of fields and for the rest of a shape. */
import type { RecordField } from '../compile/compile.js'
import type { Json } from '../field.js'
import { recordOf } from '../kinds/kind.js'
import type { Output, WriteContext } from './shape.js'
import type { Making } from './shape-writers.js'

/** Part of an answer: adds its attribute to the output. */
export type Writer = (output: Output, cells: readonly unknown[], context: WriteContext) => void

/** A value of an answer. */
export type Value = (cells: readonly unknown[], context: WriteContext) => Json

/** The writer of one attribute. */
export function put(name: string, value: Value): Writer {
  return (output, cells, context) => {
    output[name] = value(cells, context)
  }
}

/** What a field shows of other tables, loaded for the whole page: sub-records, or linked records. Of absent types there are none. */
export function belongingsOf(field: RecordField, { catalog, slot, load }: Making) {
  if (!recordOf(field, catalog)) return () => []
  load(field)
  const id = slot('id')
  return (cells: readonly unknown[], context: WriteContext): readonly Json[] => context.belongings(field, Number(cells[id]))
}

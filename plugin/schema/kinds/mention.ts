import { type FieldOptions, makeField } from '../language/field.js'
import { schemaNamed } from './json-schema.js'
import type { Kind } from './kind.js'
import type { Mentioned } from './writers.js'

/** Length of the column: the longest name of a record type, and a number. */
const MAX_LENGTH = 100

/** A record of any type, which no caller can set: stored as `change 7`, shown as a reference under the name of its type. */
export const mentionKind: Kind = {
  options: {},
  column: {
    form: () => ({ method: 'exact', types: ['varchar'], length: MAX_LENGTH, isSized: true }),
    decode: String,
    refuse: (value) => (typeof value === 'string' && mentionIn(value) ? null : { refused: 'invalid' }),
    encode: String,
  },
  input: null,
  filter: null,
  answer: {
    writer(field, { mention, slot }) {
      const at = slot(field.column ?? field.name)
      const read = (cells: readonly unknown[]) => mentionIn(cells[at])
      mention(read)
      return (output, cells, context) => {
        const found = read(cells)
        output[field.name] = found && { [found.type]: context.reference(found.type, found.id) }
      }
    },
  },
  document: { shown: () => schemaNamed('mentioned_record') },
}

/** A reference to a record of any type. */
export function mention<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O, 'mention'>('mention', {}, options)
}

/** A record in the form of rows. */
export function mentionOf({ type, id }: Mentioned): string {
  return `${type} ${id}`
}

function mentionIn(stored: unknown): Mentioned | null {
  const [, type = '', id = ''] = /^(\w+) (\d+)$/.exec(String(stored ?? '')) ?? []
  return type === '' ? null : { type, id: Number(id) }
}

/** The first note of a request tells events of monitoring tools apart (behaviour: Event submission). */
import { isBlank } from '../../core/text/blank.js'
import { textDigestOrNone } from '../../core/text/digest.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type FillContext, rule } from '../../schema/language/define-rule.js'

interface FirstNote {
  /** The input with the public note. */
  readonly note: string
  readonly template: string
}

/** Keeps the digest of the public note with which a record is created. Notes that are added later do not count. */
export const keepsFirstNote = rule('keepsFirstNote', <const N extends string>(digest: N, settings: FirstNote) => ({
  fields: [digest, settings.template],
  fills: [digest],
  async fill(context) {
    if (!context.before) context.next[digest] = textDigestOrNone(await firstNote(context, settings))
  },
}))

/** The text of the template stands before the note of the caller; the note of an event replaces it. */
async function firstNote({ call, fieldOf, input, load, next }: FillContext, names: FirstNote): Promise<string | null> {
  const { column, record } = fieldOf(names.template)
  const [own, template] = [input(names.note), call.origin === 'import' ? null : await load(record, next[column])]
  const isReplaced = call.origin === 'event' && !isBlank(own)
  const texts: readonly Json[] = [isReplaced ? null : (template?.['note'] ?? null), own]
  const parts = texts.filter((text) => !isBlank(text))
  return parts.length === 0 ? null : parts.join('\n\n')
}

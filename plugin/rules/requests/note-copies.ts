/** Notes that are added to further records: those of tasks to their change, those of requests to their group. */
import { isSavedBy } from '../../core/call.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { OtherRecords, Row, RuleContext } from '../../schema/language/define-rule.js'
import { rule } from '../../schema/language/define-rule.js'
import { ATTACHMENTS, attachmentsOf, copiesOf } from '../templates/copied-attachments.js'

/** A note, and the record that gets a copy of it. */
export interface NoteCopy {
  readonly note: Row
  readonly owner: { readonly type: string; readonly id: number }
  /** The text in place of that of the note. */
  readonly text?: string
  readonly internal: boolean
  /** True for an internal copy of a public note: it belongs to the account of the record, whoever has written the note. */
  readonly isOfRecord?: true
}

/** Adds notes to further records, by the same author, with the files of their attachments. */
export async function copyNotes(
  copies: readonly NoteCopy[],
  context: Pick<RuleContext, 'findBy'> | undefined,
  { saveAll }: Pick<OtherRecords, 'saveAll'>,
): Promise<void> {
  if (copies.length === 0 || !context) return
  const attachments = await Promise.all(copies.map(({ note }) => attachmentsOf(context, 'note', note['id'])))
  const rows = await saveAll(
    'note',
    copies.map(({ note, owner, text, internal, isOfRecord }) => {
      const { medium = null, person_id = null } = note
      return {
        id: null,
        body: { text: text ?? note['text'], internal, medium, person_id },
        owner,
        ...(isOfRecord && { isOfRecord }),
      }
    }),
  )
  const files = attachments.flatMap((some, index) =>
    copiesOf(some, 'text', { owner: { type: 'note', id: Number(rows[index]?.['id']) }, field: 'text' }),
  )
  await saveAll(ATTACHMENTS, files)
}

interface CopySettings {
  /** The reference of the record to its template, and the type that it refers to. */
  readonly template: string
  readonly from: string
  /** The field of the template that says whether notes are copied. */
  readonly copy: string
  /** The reference to the record that gets them, which is also the name of its type. */
  readonly to: string
}

/**
 * Adds each note of a record of the type to the record that it refers to, if its template says so: public notes as public ones,
 * internal ones as internal. `textsOfTemplate` copies the note of the template, with the attachments that it adds later. For
 * the type of the notes.
 */
export const notesCopiedTo = rule('notesCopiedTo', (type: string, { template, from, copy, to }: CopySettings) => ({
  begins: true,
  async writtenAll(contexts, others) {
    const added = contexts.filter(({ before, call, next }) => {
      return !before && next['owner_type'] === type && !isSavedBy(call, type, 'textsOfTemplate')
    })
    const found = await Promise.all(
      added.map(async ({ load, next }): Promise<readonly NoteCopy[]> => {
        const record = await load(type, next['owner_id'])
        const id: Json = record?.[`${to}_id`] ?? null
        if (id === null || (await load(from, record?.[`${template}_id`]))?.[copy] !== true) return []
        return [{ note: next as Row, owner: { type: to, id: Number(id) }, internal: next['internal'] === true }]
      }),
    )
    await copyNotes(found.flat(), contexts[0], others)
  },
}))

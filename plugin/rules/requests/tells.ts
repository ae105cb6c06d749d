import type { Instant } from '../../core/clock.js'
import { rule } from '../../schema/language/define-rule.js'
import type { MailName } from '../../words/mails/mail.js'

interface TellSettings {
  /** The field with the person who gets the mail. */
  readonly person: string
  /** The field that names the record in the mail. */
  readonly title: string
  readonly mails: { readonly set: MailName; readonly changed: MailName; readonly removed: MailName }
}

/** Mails a person when a timestamp of the record is set, changed or removed, whoever does it. */
export const tells = rule('tells', (field: string, { mails, person, title }: TellSettings) => ({
  fields: [field, person, title],
  begins: true,
  writtenAll(contexts, { mail }) {
    for (const { before, changed, fieldOf, next } of contexts) {
      if (!changed(field)) continue
      const [was, is] = [before?.[field] ?? null, next[field] ?? null]
      const name = is === null ? mails.removed : was === null ? mails.set : mails.changed
      mail(next[fieldOf(person).column], name, {
        id: Number(next['id']),
        subject: String(next[title] ?? ''),
        ...(was === null ? {} : { previous: { at: String(was) as Instant } }),
        ...(is === null ? {} : { desired: { at: String(is) as Instant } }),
      })
    }
  },
}))

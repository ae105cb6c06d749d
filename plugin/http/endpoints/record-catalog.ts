import { NotFound } from '../../core/errors.js'
import { KeptText } from '../../core/kept-text.js'
import type { RecordType } from '../../schema/catalog.js'
import { describeType, describeValues } from '../../schema/derive/describe-types.js'
import { answerKept, JSON_TYPE } from '../answers/answer.js'
import type { Context, Endpoint } from '../contract.js'
import type { RouteDeps } from '../deps.js'
import { CATALOG } from './record-catalog-schema.js'

/** The texts of one language, each made for its first reader. */
interface Texts {
  all?: KeptText
  readonly byType: Map<string, KeptText>
}

/**
 * `GET /catalog`: the record types of this instance, those of the host and extensions included, as clients need them to show records
 * and forms; `/catalog/request` is one of them (behaviour: Catalog). It depends on the language of the caller alone: what callers
 * may do is at `/me/permissions`.
 */
export function recordCatalog({ catalog, words }: Pick<RouteDeps, 'catalog' | 'words'>): readonly Endpoint[] {
  // Only known languages have labels, so that there are few.
  const made = new Map<string, Texts>()
  const types = [...catalog.types.values()]

  const write = (language: string, some: readonly RecordType[]): KeptText => {
    const labels = {
      field: (type: string, field: string) => words.fieldLabel(language, type, field),
      value: (enumeration: string, value: string) => words.valueLabel(language, enumeration, value),
    }
    const types = some.map((type) => describeType(type, catalog, labels))
    return new KeptText(JSON.stringify({ types, enumerations: describeValues(some, labels) }))
  }
  const textsOf = (language: string): Texts => {
    const known = made.get(language) ?? { byType: new Map() }
    made.set(language, known)
    return known
  }
  const answer = (ctx: Context, language: string, text: KeptText) => {
    answerKept(ctx, JSON_TYPE, text)
    ctx.set('Content-Language', language)
  }

  const description = {
    answers: { 200: { description: 'Record types, and the values of their enumerations.', schema: CATALOG } },
  }
  return [
    {
      method: 'GET',
      path: '/catalog',
      description: {
        operation: 'read_catalog',
        summary: 'Read all record types',
        description: 'Types, fields, lists and enumerations with labels in the language of the call, the same for all callers.',
        ...description,
      },
      run(ctx, call) {
        const language = words.languageOf(call.language)
        const texts = textsOf(language)
        texts.all ??= write(language, types)
        answer(ctx, language, texts.all)
      },
    },
    {
      method: 'GET',
      path: '/catalog/:type',
      description: {
        operation: 'read_record_type',
        summary: 'Read a record type',
        description: 'The same for one record type, by its name: a list with this one.',
        ...description,
      },
      run(ctx, call) {
        const type = catalog.types.get(ctx.state.itsm.named['type'] ?? '')
        if (!type) throw new NotFound()
        const language = words.languageOf(call.language)
        const { byType } = textsOf(language)
        const text = byType.get(type.name) ?? write(language, [type])
        byType.set(type.name, text)
        answer(ctx, language, text)
      },
    },
  ]
}

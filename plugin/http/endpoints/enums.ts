import { NotFound } from '../../core/errors.js'
import { KeptText } from '../../core/kept-text.js'
import { languageIn } from '../../words/languages.js'
import { answerKept, JSON_TYPE } from '../answers/answer.js'
import type { Context, Endpoint } from '../contract.js'
import type { RouteDeps } from '../deps.js'

interface Item {
  readonly id: string
  readonly txt: string
  readonly code?: number
}
type Texts = ReadonlyMap<string, readonly Item[]>

const LANGUAGE = 'language'
/** Values of this list have no code (behaviour: Enumerations). */
const WITHOUT_CODE = 'time_zone'

/**
 * `GET /enums`: all enumerations, without credentials, as JSON, `.csv` or `.html`, in the language of the caller or of the
 * path (`/enums/fr.csv`); `/enums/request.status` is one of them (spec, Utility endpoints; behaviour: Enumerations).
 */
export function enums({ catalog, words }: Pick<RouteDeps, 'catalog' | 'words'>): readonly Endpoint[] {
  const { enumerations } = catalog
  const languages = new Set(enumerations.get(LANGUAGE))
  const languageOf = (tag: string) => {
    const language = languageIn(tag)
    return language !== null && languages.has(language) ? language : null
  }
  // One response per language, format and enumeration: only known ones, so that they stay few.
  const answers = new Map<string, KeptText>()

  const textsIn = (language: string, only?: string): Texts =>
    new Map(
      [...enumerations]
        .filter(([key]) => only === undefined || key === only)
        .map(([key, values]) => [
          key,
          values.map((id, index) => ({
            id,
            txt: words.valueLabel(language, key, id),
            ...(key === WITHOUT_CODE ? {} : { code: index + 1 }),
          })),
        ]),
    )
  const textOf = (language: string, form: Form, key?: string): KeptText => {
    const place = `${form.type} ${language} ${key ?? ''}`
    const text = answers.get(place) ?? new KeptText(form.write(textsIn(language, key)))
    if (languages.has(language)) answers.set(place, text)
    return text
  }
  const answer = (ctx: Context, language: string, key?: string) => {
    const form = formOf(ctx)
    ctx.set('Content-Language', words.languageOf(language))
    if (key !== undefined && !enumerations.has(key)) throw new NotFound()
    answerKept(ctx, form.type, textOf(language, form, key))
  }

  const description = {
    summary: 'Read enumerations',
    description: 'Values with their labels in one language; the path may end in .csv or .html.',
    answers: {
      200: {
        description: 'Values by enumeration, in their order.',
        schema: ENUMERATIONS,
        types: [CSV_FORM.type, HTML_FORM.type],
      },
    },
  }
  const common = { method: 'GET', anonymous: true, suffixes: ['csv', 'html'] } as const
  return [
    {
      ...common,
      path: '/enums',
      description: { operation: 'read_enumerations', ...description },
      run: (ctx, call) => answer(ctx, call.language),
    },
    {
      ...common,
      path: '/enums/:name',
      description: { operation: 'read_enumeration', ...description },
      run: (ctx, call) => {
        const name = ctx.state.itsm.named['name'] ?? ''
        const language = enumerations.has(name) ? null : languageOf(name)
        if (language === null) answer(ctx, call.language, name)
        else answer(ctx, language)
      },
    },
    {
      ...common,
      path: '/enums/:language/:name',
      description: { operation: 'read_enumeration_in_language', ...description },
      run: (ctx) => {
        const { language: tag = '', name = '' } = ctx.state.itsm.named
        const language = languageOf(tag)
        if (language === null) throw new NotFound()
        answer(ctx, language, name)
      },
    },
  ]
}

const ENUMERATIONS = {
  title: 'Enumerations',
  type: 'object',
  additionalProperties: {
    type: 'array',
    items: {
      title: 'EnumerationValue',
      type: 'object',
      properties: { id: { type: 'string' }, txt: { type: 'string' }, code: { type: 'integer' } },
      required: ['id', 'txt'],
      additionalProperties: false,
    },
  },
}

interface Form {
  readonly type: string
  write(texts: Texts): string
}

const JSON_FORM: Form = { type: JSON_TYPE, write: (texts) => JSON.stringify(Object.fromEntries(texts)) }
const CSV_FORM: Form = { type: 'text/csv; charset=utf-8', write: writeCsv }
const HTML_FORM: Form = { type: 'text/html; charset=utf-8', write: writeHtml }

function formOf(ctx: Context): Form {
  const { suffix } = ctx.state.itsm
  return suffix === 'csv' ? CSV_FORM : suffix === 'html' ? HTML_FORM : JSON_FORM
}

function writeCsv(texts: Texts): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const rows = [...texts].flatMap(([key, items]) => items.map(({ id, txt }) => [key, id, txt]))
  return [['Enumeration', 'ID', 'Text'], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function writeHtml(texts: Texts): string {
  const row = (cells: readonly string[]) => `<tr>${cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`
  const sections = [...texts].map(
    ([key, items]) =>
      `<h2>${escapeHtml(key)}</h2>\n<table>\n${items.map(({ id, txt }) => row([id, txt])).join('\n')}\n</table>`,
  )
  return `<!DOCTYPE html>\n<html>\n<head><title>Enumerations</title></head>\n<body>\n${sections.join('\n')}\n</body>\n</html>\n`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

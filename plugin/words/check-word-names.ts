/** Checks the names in the option `words`: a text under a misspelt name would never be shown. */
import { suggestion } from '../core/text/nearest.js'
import { en } from './en.js'
import { placeholdersIn } from './fill-template.js'
import { nl } from './nl.js'
import { SAME_VALUES } from './values/en.js'
import type { ExtraWords, MoreWords } from './words.js'

/** Names of the record types of a catalog. */
export interface KnownNames {
  /** Fields, inputs and lists by record type. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  /** Values by enumeration. */
  readonly enumerations: ReadonlyMap<string, readonly string[]>
}

/** Returns the mistakes in the names of fields, enumerations, values and placeholders, by path. The shape has been checked. */
export function mistakesInWordNames(extra: ExtraWords, known: KnownNames): readonly string[] {
  const general = new Set([...known.fields.keys(), ...[...known.fields.values()].flatMap((names) => [...names])])
  for (const name of [...Object.keys(en.fields), ...Object.keys(nl.fields)]) general.add(name)
  return Object.entries(extra).flatMap(([language, words]) => {
    const path = `words.${language}`
    return [
      ...Object.keys(words?.fields ?? {}).flatMap((name) => mistakesInField(`${path}.fields.${name}`, name, general, known)),
      ...Object.entries(words?.values ?? {}).flatMap(([name, values]) =>
        mistakesInValues(`${path}.values.${name}`, name, values, known),
      ),
      ...mistakesInTexts(path, words ?? {}),
      ...mistakesInConsole(`${path}.console`, words?.console ?? {}),
    ]
  })
}

function mistakesInField(path: string, name: string, general: ReadonlySet<string>, { fields }: KnownNames): readonly string[] {
  const dot = name.indexOf('.')
  if (general.has(name)) return []
  if (dot < 0) return [`${path}: no record type has such a field${suggestion(name, general)}`]
  const [type, field] = [name.slice(0, dot), name.slice(dot + 1)]
  const ofType = fields.get(type)
  if (!ofType) return [`${path}: there is no record type '${type}'${suggestion(type, fields.keys())}`]
  return ofType.has(field) ? [] : [`${path}: ${type} has no field '${field}'${suggestion(field, ofType)}`]
}

function mistakesInValues(path: string, name: string, texts: object, { enumerations }: KnownNames): readonly string[] {
  const ours = own(en.values, name) ?? own(en.values, own(SAME_VALUES, name) ?? name)
  const values = [...(enumerations.get(name) ?? []), ...Object.keys(ours ?? {})]
  if (values.length === 0) {
    const names = [...enumerations.keys(), ...Object.keys(en.values)]
    return [`${path}: there is no such enumeration${suggestion(name, names)}`]
  }
  const unknown = Object.keys(texts).filter((value) => !values.includes(value))
  return unknown.map((value) => `${path}.${value}: there is no such value${suggestion(value, values)}`)
}

/** Keys of texts that the console does not have, and names in braces that it has no value for. */
function mistakesInConsole(path: string, texts: { readonly [key: string]: string }): readonly string[] {
  const ours: { readonly [key: string]: string } = en.console
  return Object.entries(texts).flatMap(([key, text]) => {
    const our = own(ours, key)
    if (our === undefined) return [`${path}.${key}: the console has no such text${suggestion(key, Object.keys(ours))}`]
    const known = placeholdersIn(our)
    const unknown = placeholdersIn(text).filter((name) => !known.includes(name))
    return unknown.map((name) => `${path}.${key}: there is no value for {${name}}${suggestion(name, known)}`)
  })
}

/** Placeholders that the plugin has no value for. A sentence of the host's own has those that its rule passes. */
function mistakesInTexts(path: string, { mails = {}, sentences = {} }: MoreWords): readonly string[] {
  const wrong = (at: string, text: string, ours: readonly string[]) => {
    const known = ['label', ...ours.flatMap(placeholdersIn)]
    const unknown = placeholdersIn(text).filter((name) => !known.includes(name))
    return unknown.map((name) => `${at}: there is no value for {${name}}${suggestion(name, known)}`)
  }
  return [
    ...Object.entries(sentences).flatMap(([code, text]) => {
      const same = own(en.sentences, code)
      if (same !== undefined) return wrong(`${path}.sentences.${code}`, text, [same])
      const near = suggestion(code, Object.keys(en.sentences))
      return near === '' ? [] : [`${path}.sentences.${code}: there is no such sentence${near}`]
    }),
    ...Object.entries(mails).flatMap(([name, mail]) => {
      const same = own(en.mails, name)
      if (!same || !mail) return []
      const ours = [same.subject, ...same.lines]
      return [mail.subject, ...mail.lines].flatMap((text) => wrong(`${path}.mails.${name}`, text, ours))
    }),
  ]
}

function own<T>(table: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

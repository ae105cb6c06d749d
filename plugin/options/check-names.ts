import { InvalidOptions } from '../core/errors.js'
import { suggestion } from '../core/text/nearest.js'
import { shown } from '../core/text/shown.js'
import { ENDPOINT_PATHS, mistakesInEndpoints } from '../http/http.js'
import type { Catalog } from '../schema/catalog.js'
import { inputNamesOf } from '../schema/derive/input-names.js'
import { ATTACHMENT, AUDIT_LINE } from '../schema/language/built-in-types.js'
import { mistakesInWordNames } from '../words/check-word-names.js'
import type { ExtraWords } from '../words/words.js'
import type { Settings } from './options.js'

/**
 * Checks the names in options against the definitions: a misspelt hook would never run, a misspelt label never be shown.
 *
 * @throws InvalidOptions with all mistakes
 */
export function checkNames(settings: Settings, catalog: Catalog, words: ExtraWords = {}): void {
  const types = [...catalog.types.values()]
  const steps = types.flatMap(({ access, name }) => [
    `${name}.save`,
    ...((access.remove ?? []).length > 0 ? [`${name}.remove`] : []),
  ])
  // Attachments and audit lines are written with their record.
  const owned = types.filter(({ name }) => name !== ATTACHMENT && name !== AUDIT_LINE)
  const changes = owned.flatMap(({ name }) => [`${name}.save`, `${name}.remove`])
  const mistakes = [
    ...[...settings.operations.before.keys()]
      .filter((name) => !steps.includes(name))
      .map((name) => `before.${name}: must be '<record type>.save' or '<record type>.remove'${suggestion(name, steps)}`),
    ...Object.entries(settings.hooked).flatMap(([option, names]) =>
      names
        .filter((name) => !catalog.types.has(name))
        .map(
          (name) => `${option}.${name}: there is no record type ${shown(name)}${suggestion(name, [...catalog.types.keys()])}`,
        ),
    ),
    ...[...settings.operations.inTransaction.keys()]
      .filter((name) => !changes.includes(name))
      .map(
        (name) => `inTransaction.${name}: must be '<record type>.save' or '<record type>.remove'${suggestion(name, changes)}`,
      ),
    ...Object.keys(settings.events.on)
      .filter((name) => !catalog.events.includes(name))
      .map((name) => `on.${name}: there is no such event${suggestion(name, catalog.events)}`),
    ...settings.events.channels.flatMap(({ events = [] }, index) =>
      events
        .filter((name) => !catalog.events.includes(name))
        .map((name) => `channels[${index}].events: there is no event ${shown(name)}${suggestion(name, catalog.events)}`),
    ),
    ...mistakesInEndpoints(settings.http.hostEndpoints, catalog, ENDPOINT_PATHS),
    ...(settings.console?.pages ?? []).flatMap(({ path }, index) =>
      types.filter((type) => `/${type.path}` === path).map(({ name }) => `console.pages[${index}].path: is that of ${name}`),
    ),
    ...(Object.keys(words).length > 0 ? mistakesInWordNames(words, namesIn(catalog)) : []),
  ]
  if (mistakes.length > 0) throw new InvalidOptions(mistakes)
}

/** Names that texts can belong to. */
function namesIn({ enumerations, types }: Catalog): Parameters<typeof mistakesInWordNames>[1] {
  const fields = [...types].map(([name, type]) => {
    const below = [...type.links.keys(), ...type.parts.keys(), ...type.children.keys(), ...type.coverages.keys()]
    const lists = [...below, ...type.lists.keys(), type.path]
    return [name, new Set([...type.fields.keys(), ...type.columns.keys(), ...inputNamesOf(type), ...lists])] as const
  })
  return { enumerations, fields: new Map(fields) }
}

/** Reports mistakes in the moves of a definition: fields and values that it does not have. */
import { suggestion } from '../../core/text/nearest.js'
import { nextStep } from '../language/allowed-moves.js'
import type { Definition } from '../language/define-record.js'
import { mistakesInWho } from './check-access.js'

/** Mistakes in the moves, each with its path. */
export function mistakesInMoves(definition: Definition): readonly string[] {
  return Object.entries(definition.moves ?? {}).flatMap(([name, moves]) => {
    const at = `moves.${name}`
    const field = definition.fields[name]
    if (!field) return [`${at}: there is no field '${name}'${suggestion(name, Object.keys(definition.fields))}`]
    const { values } = field
    if (!values || field.readOnly) return [`${at}: must be an enumeration that callers can set`]
    const unknown = (value: string) =>
      values.includes(value) ? [] : [`there is no value '${value}'${suggestion(value, values)}`]
    return Object.entries(moves).flatMap(([from, next]) => {
      const steps = next.map(nextStep)
      const twice = steps.filter(({ to }, index) => steps.findIndex((other) => other.to === to) !== index)
      return [
        ...unknown(from).map((text) => `${at}: ${text}`),
        ...steps
          .flatMap(({ by, to }) => [...unknown(to), ...(by ?? []).flatMap((who) => mistakesInWho(who, definition))])
          .map((text) => `${at}.${from}: ${text}`),
        ...twice.map(({ to }) => `${at}.${from}: '${to}' is there twice`),
      ]
    })
  })
}

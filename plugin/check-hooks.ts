import { InvalidOptions } from './core/errors.js'
import type { Catalog } from './schema/compile/compile.js'
import type { Settings } from './settings.js'

/**
 * Checks the names of hooks and listeners against the definitions: a misspelt hook would never run.
 *
 * @throws InvalidOptions with all mistakes
 */
export function checkHookNames(settings: Settings, catalog: Catalog): void {
  const mistakes = [
    ...[...settings.operations.before.keys()]
      .filter((name) => !name.endsWith('.save') || !catalog.types.has(name.slice(0, -'.save'.length)))
      .map((name) => `before.${name}: must be '<record type>.save'`),
    ...Object.keys(settings.events.on)
      .filter((name) => !catalog.events.includes(name))
      .map((name) => `on.${name}: there is no such event`),
  ]
  if (mistakes.length > 0) throw new InvalidOptions(mistakes)
}

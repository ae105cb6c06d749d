/** Finds mistakes in the migrations of a host, which would otherwise never run: `up` is missing, or a name is used twice. */
import { migrations as ourMigrations } from '../../../migrations/index.js'

/** All mistakes in migrations of a host, one message each; none if the value is not a list. */
export function mistakesInMigrations(given: unknown): readonly string[] {
  const migrations: readonly unknown[] = Array.isArray(given) ? given : []
  const names = new Set<unknown>(ourMigrations.map(({ name }) => name))
  return migrations.flatMap((migration, index) => {
    const place = `migrations[${index}]`
    const { name, up, down } = Object(migration) as { readonly name?: unknown; readonly up?: unknown; readonly down?: unknown }
    // The check of options reports other values.
    if (typeof name !== 'string') return []
    const mistakes: string[] = []
    if (name.trim() === '') mistakes.push(`${place}.name: must not be empty`)
    else if (names.has(name))
      mistakes.push(`${place}.name: '${name}' is the name of another migration; this one would never run`)
    if (name.length > 255) mistakes.push(`${place}.name: must have at most 255 characters`)
    if (typeof up !== 'function') mistakes.push(`${place}.up: must be a function`)
    if (down !== undefined && typeof down !== 'function') mistakes.push(`${place}.down: must be a function`)
    names.add(name)
    return mistakes
  })
}

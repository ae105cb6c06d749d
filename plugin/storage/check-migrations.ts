/** Looks for mistakes in the migrations of a host: without `up` nothing happens, and a name is remembered once. */
import { migrations as ourMigrations } from '../../migrations/index.js'

/** All mistakes in migrations of a host, one sentence each; none for what is not a list. */
export function mistakesInMigrations(given: unknown): readonly string[] {
  const migrations: readonly unknown[] = Array.isArray(given) ? given : []
  const names = new Set<unknown>(ourMigrations.map(({ name }) => name))
  return migrations.flatMap((migration, index) => {
    const place = `migrations[${index}]`
    const { name, up, down } = Object(migration) as { readonly name?: unknown; readonly up?: unknown; readonly down?: unknown }
    // A list of other things is told of with the options.
    if (typeof name !== 'string') return []
    const mistakes: string[] = []
    if (name.trim() === '') mistakes.push(`${place}.name: must not be empty`)
    else if (names.has(name))
      mistakes.push(`${place}.name: '${name}' is the name of another migration, so that it would never run`)
    if (name.length > 255) mistakes.push(`${place}.name: must have 255 characters at most`)
    if (typeof up !== 'function') mistakes.push(`${place}.up: must be a function`)
    if (down !== undefined && typeof down !== 'function') mistakes.push(`${place}.down: must be a function`)
    names.add(name)
    return mistakes
  })
}

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The program, by CHROMIUM or on the PATH; null if there is none. */
export function browserProgram(): string | null {
  const named = process.env['CHROMIUM']
  if (named) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const places = folders.flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)),
  )
  return places.find((place) => existsSync(place)) ?? null
}

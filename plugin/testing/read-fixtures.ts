/** Reads fixtures from a folder with the layout of ours: world.json, records/<type>.json, requests/<topic>.json. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { RequestCase, Topic } from './cases.js'
import type { WorldFile } from './world.js'

/** A body of a request, or the start of one. Names are replaced by ids, `$like` starts from another body. */
export type Body = Readonly<Record<string, unknown>>

/** Content of records/<type>.json. */
export interface RecordFixture {
  /** Name of the person who creates records of this type. */
  readonly as?: string
  /** For sub-records: the type of their owner. */
  readonly below?: string
  /** For `"$like": "<type>.<name>"`: `minimal` has the required fields, `full` all. Empty if callers cannot create this type. */
  readonly bodies: Readonly<Record<string, Body>>
  /** Fields whose values must differ although they are not unique themselves: a unique value is derived from them. */
  readonly distinct?: readonly string[]
  /** Names of the bodies for a list of this type; default minimal, full, minimal. */
  readonly list?: readonly string[]
  /** Fields that `full` omits, with the reason. */
  readonly notInFull?: Readonly<Record<string, string>>
  /** Other fields that a value needs: by field, by value (`*` for all others); null for values that callers cannot set. */
  readonly with?: Readonly<Record<string, Readonly<Record<string, Body | null>>>>
  /** Bodies that change a minimal record so that the event occurs, by verb. */
  readonly changes?: Readonly<Record<string, Body>>
  /** Bodies that are refused: a `name`, the `body`, and the `errors` of the response. */
  readonly invalid?: readonly {
    readonly name: string
    readonly body: Body
    readonly errors: readonly (readonly [field: string, sentence: string])[]
  }[]
}

/** A world, bodies and cases, as `readFixtures` reads them. */
export interface Fixtures {
  /** The company that the cases begin with. */
  readonly world: WorldFile
  /** By record type. */
  readonly records: ReadonlyMap<string, RecordFixture>
  /** In the order of their file names. */
  readonly topics: readonly Topic[]
}

/**
 * Reads the fixtures of the package: a small company with people, teams and services, a body for each record type, and the
 * cases that are the contract of the API. Single files are `koa-itsm/fixtures/world.json` and so on.
 */
export function shippedFixtures(): Fixtures {
  // Resolved by the name of the package, because the compiled files are at another depth than the sources.
  return readFixtures(dirname(createRequire(import.meta.url).resolve('koa-itsm/fixtures/world.json')))
}

/** Reads a whole folder of fixtures. All but the world may be missing. */
export function readFixtures(folder: string): Fixtures {
  return {
    world: readJson(join(folder, 'world.json')) as WorldFile,
    records: new Map(
      filesIn(folder, 'records').map((file) => [basename(file, '.json'), readJson(file) as RecordFixture] as const),
    ),
    topics: filesIn(folder, 'requests').map((file) => {
      const { about, cases } = readJson(file) as { about: string; cases: readonly RequestCase[] }
      return { name: basename(file, '.json').replaceAll('-', ' '), about, cases }
    }),
  }
}

function filesIn(folder: string, name: string): readonly string[] {
  const path = join(folder, name)
  if (!existsSync(path)) return []
  const files = readdirSync(path).filter((file) => file.endsWith('.json'))
  return files.sort().map((file) => join(path, file))
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new SyntaxError(`${file}: ${(error as Error).message}`, { cause: error })
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { packageRoot } from '../../core/package-root.js'
import type { Sliced } from '../../core/waiting/in-slices.js'
import type { ExampleSources } from '../../schema/openapi/examples.js'

/**
 * Reads the fixtures from which the OpenAPI document takes its examples. Missing or unreadable files are skipped: the document
 * then has fewer examples. After bundling it has none, and other files in place of the package are not read.
 */
export function* readExampleSources(): Sliced<ExampleSources> {
  const root = packageRoot()
  function* files(folder: string) {
    return root ? yield* filesIn(new URL(`fixtures/${folder}/`, root)) : []
  }
  const records = new Map(yield* files('records'))
  const topics = yield* files('requests')
  const deliveries = new Map(yield* files('webhooks'))
  return { records, topics: topics.map(([, topic]) => topic), deliveries }
}

function* filesIn(folder: URL): Sliced<readonly (readonly [name: string, content: unknown])[]> {
  const read: (readonly [string, unknown])[] = []
  for (const name of namesIn(folder)) {
    yield
    read.push([name.slice(0, -'.json'.length), readJson(new URL(name, folder))])
  }
  return read
}

function namesIn(folder: URL): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch {
    return []
  }
}

function readJson(file: URL): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

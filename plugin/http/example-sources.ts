import { readdirSync, readFileSync } from 'node:fs'
import type { ExampleSources } from '../schema/derive/openapi/examples.js'

/** The folder of the package, resolved from its sources and from the compiled files. */
const ROOTS = ['../../', '../../../']

/**
 * Reads the fixtures from which the OpenAPI document takes its examples. Missing or unreadable files are skipped: the document
 * then has fewer examples. After bundling it has none, and other files in place of the package are not read.
 */
export function readExampleSources(): ExampleSources {
  const root = ROOTS.map((path) => new URL(path, import.meta.url)).find(isOurPackage)
  const files = (folder: string) => (root ? filesIn(new URL(`fixtures/${folder}/`, root)) : [])
  return { records: new Map(files('records')), topics: files('requests').map(([, topic]) => topic) }
}

function isOurPackage(root: URL): boolean {
  const { name } = Object(readJson(new URL('package.json', root))) as { readonly name?: unknown }
  return name === 'koa-itsm'
}

function filesIn(folder: URL): readonly (readonly [name: string, content: unknown])[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => [name.slice(0, -'.json'.length), readJson(new URL(name, folder))])
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

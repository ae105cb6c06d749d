import { readFileSync } from 'node:fs'

/** The folder of the package, seen from the bundled module, from the sources and from the compiled files. */
const ROOTS = ['../../', '../../../', '../../../../']

/** The folder of the package, to read files that are in it. Null after a host has bundled it: then its files are not there. */
export function packageRoot(): URL | null {
  return ROOTS.map((path) => new URL(path, import.meta.url)).find(isOurPackage) ?? null
}

function isOurPackage(root: URL): boolean {
  try {
    const { name } = Object(JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))) as { readonly name?: unknown }
    return name === 'koa-itsm'
  } catch {
    return false
  }
}

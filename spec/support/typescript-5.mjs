/** For generators that need the interface of the compiler, which version 7 does not have: they get version 5 in its place. */
import Module, { register } from 'node:module'

const HOOK = `export function resolve(name, context, next) {
  return next(name === 'typescript' ? 'typescript-5' : name, context)
}`
register(`data:text/javascript,${encodeURIComponent(HOOK)}`, import.meta.url)

// The same for `require`.
const { _resolveFilename: resolve } = Module
Module._resolveFilename = (name, ...more) => resolve(name === 'typescript' ? 'typescript-5' : name, ...more)

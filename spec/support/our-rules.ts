/** All rules of ours, read from the folder: none can be forgotten. */
import { readdirSync } from 'node:fs'
import type { Rule } from '../../plugin/schema/language/define-rule.js'
import { MODULE_SUFFIX } from './modules.js'

const FOLDER = new URL('../../plugin/rules/', import.meta.url)

/** The functions that take settings and return a rule. */
export const ourRules: readonly ((...settings: readonly unknown[]) => Rule)[] = await findRules()

async function findRules() {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(MODULE_SUFFIX))
  const modules: Record<string, unknown>[] = await Promise.all(files.map((name) => import(new URL(name, FOLDER).href)))
  return modules.flatMap(Object.values).filter(isRule)
}

/** Rules accept any settings: the check of the definition reports those that they cannot use. */
function isRule(value: unknown): value is (typeof ourRules)[number] {
  if (typeof value !== 'function') return false
  try {
    return typeof value()?.does === 'function'
  } catch {
    return false
  }
}

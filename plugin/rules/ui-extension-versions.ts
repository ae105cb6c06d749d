import type { Rule, RuleContext } from '../schema/define-rule.js'

/**
 * Versions of a UI extension (gaps 6.9). A change of its content goes into the prepared version; when there is none, into a
 * new one with the next number. `activate` makes the prepared version the active one, so that the next change starts another.
 */
export function uiExtensionVersions() {
  return { rule: 'uiExtensionVersions' } as const
}

const CONTENT = ['html', 'css', 'javascript'] as const

export const uiExtensionVersionsRule: Rule = {
  fields: () => [...CONTENT, 'activate', 'active_version', 'prepared_version'],
  async before(context) {
    if (context.before) await keepVersions(context)
  },
  // Versions of a new extension need its id.
  async after(context) {
    if (!context.before) await keepVersions(context)
  },
}

async function keepVersions(context: RuleContext): Promise<void> {
  const { changed, input, next } = context
  if (CONTENT.some(changed)) next['prepared_version_id'] = await storeContent(context)
  if (input('activate') !== true || !next['prepared_version_id']) return
  next['active_version_id'] = next['prepared_version_id']
  next['prepared_version_id'] = null
}

/** @returns the id of the prepared version */
async function storeContent({ load, next, save, type }: RuleContext): Promise<number> {
  const content = Object.fromEntries(CONTENT.map((field) => [field, next[field] ?? null]))
  const prepared = next['prepared_version_id']
  if (prepared) {
    await save('ui_extension_version', Number(prepared), content)
    return Number(prepared)
  }
  // No version is newer than the active one while none is prepared.
  const active = await load('ui_extension_version', next['active_version_id'])
  const name = String(Number(active?.['name'] ?? 0) + 1)
  const version = await save('ui_extension_version', null, { ...content, name }, { type, id: Number(next['id']) })
  return Number(version['id'])
}

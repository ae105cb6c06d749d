import { type FillContext, type OtherRecords, rule } from '../../schema/language/define-rule.js'

const VERSION = 'ui_extension_version'
const CONTENT = ['html', 'css', 'javascript'] as const

interface Extension {
  readonly html: string
  readonly css: string
  readonly javascript: string
  readonly active_version_id: number
  readonly prepared_version_id: number
}

/**
 * Versions of a UI extension (behaviour: UI extensions). A change of its content is stored in the prepared version, or if there
 * is none, in a new one with the next number. `activate` makes the prepared version the active one, so that the next change
 * starts another.
 */
export const uiExtensionVersions = rule.for<Extension>()('uiExtensionVersions', () => ({
  fields: [...CONTENT, 'activate', 'active_version', 'prepared_version'],
  keeps: Object.fromEntries(CONTENT.map((field) => [`prepared_version.${field}`, [field]])),
  fill(context) {
    if (!hasNewContent(context)) activate(context)
  },
  // A new version needs the id of its extension, and the extension needs the id of its new version.
  async fillWithIdAll(contexts, others) {
    const changed = contexts.filter(hasNewContent)
    const ids = await storeContents(changed, others)
    for (const [index, context] of changed.entries()) {
      context.next.prepared_version_id = ids[index] ?? null
      activate(context)
    }
  },
}))

function hasNewContent({ changed }: FillContext<Extension>): boolean {
  return CONTENT.some(changed)
}

function activate({ input, next }: FillContext<Extension>): void {
  if (input('activate') !== true || !next.prepared_version_id) return
  next.active_version_id = next.prepared_version_id
  next.prepared_version_id = null
}

/** @returns the ids of the prepared versions */
async function storeContents(
  contexts: readonly FillContext<Extension>[],
  { saveAll }: OtherRecords,
): Promise<readonly number[]> {
  const items = await Promise.all(
    contexts.map(async ({ load, next, type }) => {
      const content = Object.fromEntries(CONTENT.map((field) => [field, next[field] ?? null]))
      if (next.prepared_version_id) return { id: next.prepared_version_id, body: content }
      // Without a prepared version, the active one is the newest.
      const active = await load(VERSION, next.active_version_id)
      const name = String(Number(active?.['name'] ?? 0) + 1)
      return { id: null, body: { ...content, name }, owner: { type, id: Number(next.id) } }
    }),
  )
  const versions = items.length > 0 ? await saveAll(VERSION, items) : []
  return versions.map((version) => Number(version['id']))
}

import type { Json } from '../../schema/kinds/fields.js'
import { type FillContext, type OtherRecords, type Row, rule } from '../../schema/language/define-rule.js'

const VERSION = 'ui_extension_version'
const CONTENT = ['html', 'css', 'javascript'] as const

interface Extension {
  readonly html: string
  readonly css: string
  readonly javascript: string
  readonly active_version_id: number
  readonly prepared_version_id: number
}

type Context = FillContext<Extension>
type Content = { readonly [field in (typeof CONTENT)[number]]: Json }

/** A content to store in the prepared version, which becomes the active one afterwards or not. */
interface Step {
  readonly content: Content
  readonly isActivated: boolean
}

/**
 * Versions of a UI extension (behaviour: UI extensions). A change of its content is stored in the prepared version, or if there
 * is none, in a new one with the next number. `activate` makes the prepared version the active one, so that the next change
 * starts another. `active_html` and `prepared_html`, as in files, say what the two versions are to contain.
 */
export const uiExtensionVersions = rule.for<Extension>()('uiExtensionVersions', () => ({
  fields: [
    ...CONTENT,
    ...CONTENT.flatMap((field) => [`active_${field}`, `prepared_${field}`]),
    ...['activate', 'active_version', 'prepared_version'],
  ],
  keeps: Object.fromEntries(CONTENT.map((field) => [`prepared_version.${field}`, [field]])),
  async fill(context) {
    const shown = (await stepsOf(context)).at(-1)?.content
    if (shown) for (const field of CONTENT) context.next[field] = shown[field] as string | null
    else activate(context)
  },
  // A new version needs the id of its extension, and the extension needs the id of its new version.
  async fillWithIdAll(contexts, others) {
    const planned = await Promise.all(contexts.map(async (context) => ({ context, steps: await stepsOf(context) })))
    for (const place of [0, 1]) {
      const works = planned.flatMap(({ context, steps }) => {
        const step = steps[place]
        return step ? [{ context, step }] : []
      })
      await takeSteps(works, others)
    }
  },
}))

/** What is done to the versions: nothing, or up to two steps. */
async function stepsOf(context: Context): Promise<readonly Step[]> {
  const { before, changed, input, next } = context
  const [active, prepared] = await Promise.all([versionOf(context, 'active'), versionOf(context, 'prepared')])
  if (active.isNew) {
    const first = { content: active.content, isActivated: true }
    const isKept = prepared.isNew || Boolean(before?.prepared_version_id)
    return isKept ? [first, { content: prepared.content, isActivated: false }] : [first]
  }
  if (prepared.isNew) return [{ content: prepared.content, isActivated: input('activate') === true }]
  return CONTENT.some(changed) ? [{ content: contentOf(next), isActivated: input('activate') === true }] : []
}

/** The content that a version is to have, and whether it has another one now. */
async function versionOf(
  { before, given, input, load }: Context,
  stage: 'active' | 'prepared',
): Promise<{ readonly content: Content; readonly isNew: boolean }> {
  const now = contentOf(await load(VERSION, before?.[`${stage}_version_id`]))
  const isGiven = (field: string) => (given as ReadonlySet<string>).has(`${stage}_${field}`)
  const content = Object.fromEntries(
    CONTENT.map((field) => [field, isGiven(field) ? input(`${stage}_${field}`) : now[field]]),
  ) as Content
  return { content, isNew: CONTENT.some((field) => content[field] !== now[field]) }
}

function contentOf(row: Row | Context['next'] | null): Content {
  return Object.fromEntries(CONTENT.map((field) => [field, row?.[field] ?? null])) as Content
}

function activate({ input, next }: Context): void {
  if (input('activate') !== true || !next.prepared_version_id) return
  next.active_version_id = next.prepared_version_id
  next.prepared_version_id = null
}

async function takeSteps(
  works: readonly { readonly context: Context; readonly step: Step }[],
  { saveAll }: OtherRecords,
): Promise<void> {
  const items = await Promise.all(
    works.map(async ({ context: { load, next, type }, step: { content } }) => {
      if (next.prepared_version_id) return { id: next.prepared_version_id, body: content }
      // Without a prepared version, the active one is the newest.
      const active = await load(VERSION, next.active_version_id)
      const name = String(Number(active?.['name'] ?? 0) + 1)
      return { id: null, body: { ...content, name }, owner: { type, id: Number(next.id) } }
    }),
  )
  const versions = items.length > 0 ? await saveAll(VERSION, items) : []
  for (const [index, { context, step }] of works.entries()) {
    const { next } = context
    const id = Number(versions[index]?.['id'])
    next.prepared_version_id = step.isActivated ? null : id
    if (step.isActivated) next.active_version_id = id
  }
}

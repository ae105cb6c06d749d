/** Finds the records that callers identify by a text instead of an id: `category: 'large'` (behaviour: Project categories). */
import type { Call } from '../../core/call.js'
import { folded } from '../../core/text/identity.js'
import type { RecordField } from '../../schema/catalog.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { ReadDeps } from '../read/read-deps.js'
import { mayRefer } from '../read/visible.js'
import { type Draft, refuse } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'

/** Replaces texts by ids; one query per field. Unknown and disabled records are refused. */
export async function resolveTexts({ deps, call, type }: Work<ReadDeps>, drafts: readonly Draft[]): Promise<void> {
  for (const field of type.fields.values()) {
    if (!field.shownAs || !field.column) continue
    const naming = drafts.filter((draft) => draft.input.texts.has(field.name))
    if (naming.length > 0) await resolve(deps, call, field, field.column, naming)
  }
}

async function resolve(
  deps: ReadDeps,
  call: Call,
  field: RecordField,
  column: string,
  drafts: readonly Draft[],
): Promise<void> {
  const found = await recordsNamed(deps, call, field, new Set(drafts.map((draft) => textIn(draft, field))))
  for (const draft of drafts) {
    const row = found.get(folded(textIn(draft, field)))
    const isUsable = row && (row['disabled'] !== true || row['id'] === draft.before?.[column])
    if (isUsable) draft.input.values[column] = row['id'] ?? null
    else refuse(draft, field.name, 'inclusion')
  }
}

/** Records of the caller's account by the text that identifies them. */
async function recordsNamed(
  deps: ReadDeps,
  call: Call,
  field: RecordField,
  texts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Row>> {
  const type = deps.catalog.type(field.record ?? '')
  if (!(await mayRefer(deps, call, type))) return new Map()
  const shown = String(field.shownAs)
  const where: Criterion = {
    all: [
      { path: [shown], op: 'in', values: [...texts], text: 'ignoreCase' },
      await deps.scope.reachable(call, type, call.account.id),
    ],
  }
  const rows = await deps.queries.rows(call, { type, where })
  return new Map(rows.map((row) => [folded(String(row[shown] ?? '')), row]))
}

function textIn(draft: Draft, field: RecordField): string {
  return draft.input.texts.get(field.name) ?? ''
}

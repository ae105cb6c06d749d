/** Runs the rules of a record type, and the host's hooks after them, over a batch. */
import type { Call } from '../core/call.js'
import { HookFailed, ItsmError } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import { type Condition, criterionOf } from '../schema/conditions.js'
import type { RuleContext } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'
import { type Draft, differs, refuse } from './draft.js'
import type { Operations } from './operations.js'
import type { OperationParts } from './parts.js'
import type { References } from './references.js'

/** What rules may find at most with `find`. */
const MOST_FOUND = 100

export async function runRules(
  phase: 'before' | 'after' | 'remove',
  parts: OperationParts,
  save: Operations['save'],
  call: Call,
  type: RecordType,
  drafts: readonly Draft[],
  references: References,
): Promise<void> {
  for (const draft of drafts) {
    const context = contextOf(parts, save, call, type, draft, references)
    for (const { rule, use } of type.rules) await rule[phase]?.(context, use)
    if (phase !== 'before') continue
    for (const hook of parts.before.get(`${type.name}.save`) ?? []) {
      try {
        await hook(context)
      } catch (error) {
        if (error instanceof ItsmError) throw error
        throw new HookFailed(`before hook of ${type.name}.save`, error)
      }
    }
  }
}

function contextOf(
  parts: OperationParts,
  save: Operations['save'],
  call: Call,
  type: RecordType,
  draft: Draft,
  references: References,
): RuleContext {
  return {
    call,
    type: type.name,
    before: draft.before,
    next: draft.next,
    given: draft.input.given,
    changed: (column) => differs(draft.before?.[column], draft.next[column]),
    fieldOf(name) {
      const field = type.fields.get(name)
      return { column: field?.column ?? name, record: field?.record ?? '' }
    },
    load: (typeName, id) => references.load(typeName, id),
    linked: (typeName, id, link, otherId) => isLinked(parts, call, type, draft, typeName, id, link, otherId),
    async find(typeName, condition: Condition) {
      const found = parts.catalog.type(typeName)
      const own = criterionOf({ account: call.account.id })
      const where = await parts.scope.resolve(call, { all: [own, criterionOf(condition)] })
      return parts.queries.rows(call, { type: found, where, limit: MOST_FOUND })
    },
    save(typeName, id, body) {
      draft.savedOthers = true
      return save({ ...call, systemReason: `rule of ${type.name}` }, typeName, id, body)
    },
    fail: (field, code, params) => refuse(draft, field, code, params),
  }
}

async function isLinked(
  parts: OperationParts,
  call: Call,
  type: RecordType,
  draft: Draft,
  typeName: string,
  id: Json | undefined,
  linkName: string,
  otherId: Json | undefined,
): Promise<boolean> {
  if (!otherId) return false
  // Links that come with the record itself are written after the rules have run.
  const given =
    typeName === type.name && (id ?? null) === (draft.next['id'] ?? null) ? draft.input.links.get(linkName) : undefined
  if (given) return given.includes(Number(otherId))
  const link = parts.catalog.type(typeName).links.get(linkName)
  if (!link || !id) return false
  const linked = { linkedBy: link, id: Number(id) }
  const other = { path: ['id'], op: 'in', values: [Number(otherId)] } as const
  return (await parts.queries.count(call, { type: parts.catalog.type(link.record), where: { all: [linked, other] } })) > 0
}

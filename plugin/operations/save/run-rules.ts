/** Runs the rules of a record type, and the host's hooks after them, over a batch. */
import { type Call, ruleCall } from '../../core/call.js'
import { HookFailed, ItsmError } from '../../core/errors.js'
import { shown } from '../../core/shown.js'
import type { RecordType } from '../../schema/compile/compile.js'
import { type Condition, criterionOf } from '../../schema/conditions.js'
import type { RuleContext } from '../../schema/define-rule.js'
import type { Json } from '../../schema/fields.js'
import type { OperationDeps } from '../deps.js'
import type { Operations } from '../operations.js'
import type { Rows } from '../work/rows.js'
import { type Counts, createCounts } from './counts.js'
import { type Draft, differs, refuse } from './draft.js'
import { createRolesOf, type RolesOf } from './roles.js'

/** What rules may find at most with `find`. */
const MOST_FOUND = 100

/** What the rules of a batch work with. */
export interface RuleWork {
  readonly deps: OperationDeps
  readonly call: Call
  readonly type: RecordType
  readonly references: Rows
  /** For other records; read-only fields are taken as well. */
  readonly others: Pick<Operations, 'save' | 'remove'>
}

/**
 * Runs one phase of all rules for each record of a batch, one record after the other, rules in the order of the definition; in
 * the phase `before`, the host's hooks after them. What they refuse is among the violations of the drafts.
 *
 * @throws HookFailed when a hook of the host throws anything but an error of ours
 */
export async function runRules(
  phase: 'before' | 'after' | 'remove' | 'removeAll' | 'removed',
  work: RuleWork,
  drafts: readonly Draft[],
): Promise<void> {
  const { deps, call, type } = work
  const rows = drafts.map((draft) => draft.next)
  const shared = { counts: createCounts(deps, call), rolesOf: createRolesOf(deps, call, type, rows) }
  for (const draft of drafts) {
    const context = contextOf(work, shared, draft)
    for (const { rule, use } of type.rules) await rule[phase]?.(context, use)
    if (phase !== 'before') continue
    for (const hook of deps.before.get(`${type.name}.save`) ?? []) {
      try {
        await hook(context)
      } catch (error) {
        if (error instanceof ItsmError) throw error
        throw new HookFailed(`before hook of ${type.name}.save`, error)
      }
    }
  }
  await shared.counts.store()
}

function contextOf(work: RuleWork, shared: { readonly counts: Counts; readonly rolesOf: RolesOf }, draft: Draft): RuleContext {
  const { deps, call, type, references, others } = work
  const asRule = ruleCall(call, type.name)
  return {
    call,
    type: type.name,
    before: draft.before,
    next: draft.next,
    given: draft.input.given,
    input: (field) => draft.input.unstored.get(field) ?? null,
    changed: (column) => differs(draft.before?.[column], draft.next[column]),
    fieldOf(name) {
      const field = type.fields.get(name)
      return { column: field?.column ?? name, record: field?.record ?? '', enumeration: field?.enumeration ?? '' }
    },
    async load(typeName, id, options) {
      if (options?.lock && id) await references.lock(typeName, [Number(id)])
      return references.load(typeName, id)
    },
    linked: (typeName, id, link, otherId) => isLinked(work, draft, typeName, id, link, otherId),
    async hasRole(personId, role) {
      if (!personId) return false
      return (await shared.rolesOf(Number(personId), String(draft.next['account_id']))).has(role)
    },
    async find(typeName, condition: Condition) {
      const found = deps.catalog.type(typeName)
      const own = criterionOf({ account: call.account.id })
      const where = await deps.scope.resolve(call, { all: [own, criterionOf(condition)] })
      return deps.queries.rows(call, { type: found, where, limit: MOST_FOUND })
    },
    save(typeName, id, body, owner) {
      draft.savedOthers = true
      return others.save(asRule, typeName, id, body, owner)
    },
    remove(typeName, id) {
      draft.savedOthers = true
      return others.remove(asRule, typeName, id)
    },
    addTo(typeName, id, field, step) {
      if (!id) return
      draft.savedOthers = true
      shared.counts.add(typeName, Number(id), field, step)
    },
    fail(field, code, params) {
      // Otherwise it would show only when the answer is written, and no longer who said it.
      const wrong = [field, code].filter((given: unknown) => typeof given !== 'string' || given === '')
      if (wrong.length > 0)
        throw new TypeError(`fail: needs the name of a field and a code or a sentence, not ${shown(wrong[0])}`)
      refuse(draft, field, code, params)
    },
  }
}

async function isLinked(
  { deps, call, type }: RuleWork,
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
  const link = deps.catalog.type(typeName).links.get(linkName)
  if (!link || !id) return false
  const linked = { linkedBy: link, id: Number(id) }
  const other = { path: ['id'], op: 'in', values: [Number(otherId)] } as const
  return (await deps.queries.count(call, { type: deps.catalog.type(link.record), where: { all: [linked, other] } })) > 0
}

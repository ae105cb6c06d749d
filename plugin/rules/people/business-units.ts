import type { Json } from '../../schema/kinds/fields.js'
import { type FillContext, type OtherRecords, type Row, type RuleContext, rule } from '../../schema/language/define-rule.js'
import { withAncestors } from '../general/ancestors.js'
import { isRenewed } from '../general/renews.js'

/** Columns that organizations have from the business unit above. */
const PASSED_DOWN = ['business_unit_organization_id', 'region'] as const

const LOCK = { lock: true } as const

interface Unit {
  readonly business_unit: boolean
  readonly business_unit_organization_id: number
  readonly parent_id: number
  readonly region: string
}

/**
 * Business units of an organization tree (behaviour: Organizations). Only internal organizations can be business units: one that
 * is moved out of the tree of the account's own organization is none any more, nor are those below it.
 * `business_unit_organization` is the record itself if it is a business unit, else that of its parent. The region of a business
 * unit is copied to the organizations below it, which cannot have another one. They are saved level by level, so that their
 * changes have audit lines and events as well. When the account gets another organization, business units are renewed: `renewed` is
 * the field of that timer.
 */
export const businessUnits = rule.for<Unit>()('businessUnits', (renewed: string) => ({
  fields: ['business_unit', 'business_unit_organization', 'parent', 'region'],
  alsoOnUndo: true,
  keeps: {
    business_unit: ['parent', 'account.organization'],
    business_unit_organization: ['business_unit', 'parent', 'parent.business_unit_organization'],
    region: ['business_unit', 'parent', 'parent.region'],
  },
  async fillAll(contexts) {
    const moves = movesOf(contexts)
    await Promise.all(contexts.map((context) => fillUnit(context, moves, isRenewed(context, renewed))))
  },
  async checkAll(contexts) {
    await refuseExternal(contexts, movesOf(contexts))
  },
  /** A new business unit refers to itself; `fillAll` did not know its id yet. */
  fillWithId({ next }) {
    if (next.business_unit === true) next.business_unit_organization_id = next.id
  },
  async writtenAll(contexts, { saveAll }) {
    // A move of the same batch that was counted on may have been refused.
    await refuseExternal(contexts, new Map())
    await passDown(contexts, saveAll)
    await leaveTree(contexts, saveAll)
  },
}))

/** The parents that a batch gives to stored organizations. */
type Moves = ReadonlyMap<Json, number | null>

function movesOf(contexts: readonly RuleContext<Unit>[]): Moves {
  const moved = contexts.filter(({ before, changed }) => before && changed('parent_id'))
  return new Map(moved.map(({ next }) => [next.id, next.parent_id]))
}

async function fillUnit(context: FillContext<Unit>, moves: Moves, isDue: boolean): Promise<void> {
  const { before, changed, given, load, next, type } = context
  if (isPassedDown(context)) return
  if (next.business_unit === true && !given.has('business_unit') && !(await mayBeUnit(context, moves, isDue)))
    next.business_unit = false
  if (next.business_unit === true) {
    // The id of a new record is not known yet.
    next.business_unit_organization_id = next.id ?? null
    return
  }
  // Locked, so that a parent that is changing passes its values on to this record, or is seen here.
  const isPlaced = !before || changed('parent_id') || changed('business_unit')
  const parent = await load(type, next.parent_id, ...(isPlaced ? [LOCK] : []))
  const unit = parent?.['business_unit_organization_id'] ?? null
  next.business_unit_organization_id = typeof unit === 'number' ? unit : null
  next.region = unit === null ? null : ((parent?.['region'] ?? null) as string | null)
}

async function refuseExternal(contexts: readonly RuleContext<Unit>[], moves: Moves): Promise<void> {
  const units = contexts.filter(({ next }) => next.business_unit === true)
  await Promise.all(
    units.map(async (context) => {
      if (!(await mayBeUnit(context, moves))) context.fail('business_unit', 'internal_only')
    }),
  )
}

/** True for values that come from a business unit above. */
function isPassedDown({ given }: RuleContext<Unit>): boolean {
  return given.has('business_unit_organization')
}

/**
 * True if the organization is internal: the account's own one, or below it. Also if the account has none yet, and for
 * organizations that keep their place and their flag. Locks the way up.
 */
async function mayBeUnit(
  { before, call, changed, load, next, type }: RuleContext<Unit> | FillContext<Unit>,
  moves: Moves,
  isDue = false,
): Promise<boolean> {
  const own = call.account.organizationId
  const isUntouched = before !== null && !isDue && !changed('business_unit') && !changed('parent_id')
  if (own === null || next.id === own || isUntouched) return true
  const loadMoved = async (record: string, id: Json | undefined) => {
    const row = await load(record, id, LOCK)
    return row && moves.has(id ?? null) ? { ...row, parent_id: moves.get(id ?? null) ?? null } : row
  }
  return (await withAncestors({ load: loadMoved }, type, next.parent_id)).includes(own)
}

/** Business units below organizations that have left the tree of the account's own one are none any more, level by level. */
async function leaveTree(contexts: readonly RuleContext<Unit>[], saveAll: OtherRecords['saveAll']): Promise<void> {
  const [first] = contexts
  const moved = contexts.filter(({ before, changed }) => before && changed('parent_id'))
  if (!first || moved.length === 0) return
  const { findBy, type } = first
  const isInside = await Promise.all(moved.map((context) => mayBeUnit(context, new Map())))
  let level: readonly Json[] = moved.filter((_, index) => !isInside[index]).map(({ next }) => next.id)
  const seen = new Set<Json>()
  while (level.length > 0) {
    for (const id of level) seen.add(id)
    const below = (await Promise.all(level.map((id) => findBy(type, 'parent', id, undefined, LOCK)))).flat()
    const units = below.filter((row) => row['business_unit'] === true)
    await saveAll(
      type,
      units.map((row) => ({ id: Number(row['id']), body: { business_unit: false } })),
    )
    level = below.map((row) => row['id'] ?? null).filter((id) => !seen.has(id))
  }
}

/** Copies unit and region to the organizations below, down to other business units. */
async function passDown(contexts: readonly RuleContext<Unit>[], saveAll: OtherRecords['saveAll']): Promise<void> {
  const [first] = contexts
  if (!first || isPassedDown(first)) return
  const { findBy, type } = first
  let level: readonly Row[] = contexts
    .filter(({ before, changed }) => before && (changed('business_unit_organization_id') || changed('region')))
    .map(({ next }) => next as unknown as Row)
  const seen = new Set<Json>()
  while (level.length > 0) {
    const items = await Promise.all(
      level.map(async (parent) => {
        // Locked, because another transaction may be moving one of them away, or making it a business unit.
        const children = await findBy(type, 'parent', parent['id'], { business_unit: false }, LOCK)
        const body = Object.fromEntries(PASSED_DOWN.map((column) => [column, parent[column] ?? null]))
        const differs = (child: Row) => PASSED_DOWN.some((column) => (child[column] ?? null) !== body[column])
        const isNew = ({ id }: Row) => !seen.has(id ?? null)
        return children.filter((child) => isNew(child) && differs(child)).map((child) => ({ id: Number(child['id']), body }))
      }),
    )
    for (const { id } of items.flat()) seen.add(id)
    level = await saveAll(type, items.flat())
  }
}

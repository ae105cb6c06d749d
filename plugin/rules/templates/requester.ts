/**
 * Tasks of a change or project whose templates mean the requester, or people around the requester: they learn who that is when
 * the first request is linked (behaviour: Task templates).
 */
import type { Json } from '../../schema/kinds/fields.js'
import { type Row, type RuleContext, type RuleItem, rule } from '../../schema/language/define-rule.js'
import { teamOf } from '../people/team-of.js'
import {
  type Asking,
  approversOf,
  askingFor,
  type Chosen,
  namedPeople,
  type PeopleSettings,
  partsFor,
  peopleInRoles,
  ROLES_OF_REQUESTER,
  templateOf,
} from '../people/template-people.js'

/** Statuses of tasks on which work has not begun. */
const NOT_BEGUN = ['registered', 'assigned'] as const

interface RequesterSettings {
  /** The record type of tasks, and of their templates. */
  readonly task: string
  readonly from: string
  /** Sub-records of a task, one per approver or assignee, whose field with the person is `people.named.field`. */
  readonly part: string
  readonly people: PeopleSettings
  /** The field of a task with the person who works on it; without it, all people are assigned by sub-records. */
  readonly member?: string
}

/** What a task is, apart from its row: the people of its sub-records, and those whom its template means. */
export interface People {
  readonly isApproval: boolean
  readonly member: number | null
  /** People of the sub-records of the task. */
  readonly parts: readonly number[]
  /** People whom the template names one by one. */
  readonly named: readonly Chosen[]
  /** All whom the template means now, in their order. */
  readonly all: readonly Chosen[]
  /** People whom the template means as the requester, or by a role around the requester. */
  readonly requesters: readonly Chosen[]
}

/** The member that a task gets, or the people who get sub-records. */
export interface Told {
  readonly member: number | null
  readonly parts: readonly Chosen[]
}

const NOTHING: Told = { member: null, parts: [] }

/**
 * What the task becomes when its requester is known, as if it had been known when the task was created. What a person has chosen
 * since stays: a member, or approvers other than those of the template.
 */
export function toldToTask({ all, isApproval, member, named, parts, requesters }: People): Told {
  const [first, another] = all
  if (!isApproval) return member === null && first ? { member: first.person, parts: [] } : NOTHING
  if (parts.length > 0) return { member: null, parts: without(requesters, parts) }
  // The approvals of the template were not created, or have been removed.
  if (named.length > 0 || (member !== null && !all.some(({ person }) => person === member))) return NOTHING
  if (another) return { member: null, parts: all }
  return member === null && first ? { member: first.person, parts: [] } : NOTHING
}

/** People who are assigned to a project task when its requester is known. */
export function toldToProjectTask({ parts, requesters }: Pick<People, 'parts' | 'requesters'>): Told {
  return { member: null, parts: without(requesters, parts) }
}

function without(people: readonly Chosen[], others: readonly number[]): readonly Chosen[] {
  return people.filter(({ person }) => !others.includes(person))
}

/**
 * When the first request of a change or project is linked, its tasks go to the requester, and to people around the requester, as
 * far as their templates say so and nobody has begun to work on them.
 */
export const knownToTasks = rule('knownToTasks', (field: string, settings: RequesterSettings) => ({
  fields: [field],
  begins: true,
  async writtenAll(contexts, { saveAll }) {
    const linked = await firstRequests(contexts, field)
    const told = (await Promise.all(linked.map((context) => tasksOf(context, field, settings)))).flat()
    const { member, part, people, task } = settings
    const items = told.flatMap(({ item }) => item ?? [])
    await saveAll(task, member ? items : [])
    const parts = told.flatMap(({ id, parts: chosen }) => partsFor({ type: task, id }, people.named.field, chosen))
    await saveAll(part, parts)
  },
}))

/** Of each change or project that gets its first requests, the context of the first one. */
async function firstRequests(contexts: readonly RuleContext[], field: string): Promise<readonly RuleContext[]> {
  const linking = contexts.filter(({ changed, fieldOf, next }) => {
    const { column } = fieldOf(field)
    return changed(column) && Boolean(next[column])
  })
  const requests = await Promise.all(
    linking.map(({ fieldOf, findBy, next, type }) => findBy(type, field, next[fieldOf(field).column])),
  )
  const ids = new Set(linking.map(({ next }) => next['id']))
  return linking.filter(({ next }, index) => {
    const all = requests[index] ?? []
    return all.every(({ id }) => ids.has(id ?? null)) && all[0]?.['id'] === next['id']
  })
}

interface ToldTask {
  readonly id: number
  readonly item: RuleItem | null
  readonly parts: readonly Chosen[]
}

async function tasksOf(context: RuleContext, field: string, settings: RequesterSettings): Promise<readonly ToldTask[]> {
  const { fieldOf, findBy, next } = context
  const { column, record } = fieldOf(field)
  const { from, people, task } = settings
  const tasks = await findBy(task, field, next[column], { status: NOT_BEGUN })
  const told = await Promise.all(
    tasks.map(async (row) => {
      const asking = askingFor(context, { [people.template]: from, [people.of]: record }, row)
      return toldTo(context, asking, settings)
    }),
  )
  return told.filter((one) => one !== null)
}

async function toldTo(context: RuleContext, asking: Asking, settings: RequesterSettings): Promise<ToldTask | null> {
  const { findBy } = context
  const { member, part, people, task } = settings
  const { next } = asking
  const template = await templateOf(asking, people.template)
  if (!template || !ROLES_OF_REQUESTER.some((role) => template[`assign_to_${role}`] === true)) return null
  const isApproval = next['category'] === 'approval'
  const [requesters, named, all, rows] = await Promise.all([
    peopleInRoles(asking, people, ROLES_OF_REQUESTER),
    namedPeople(asking, people),
    isApproval ? approversOf(asking, people) : peopleInRoles(asking, people),
    findBy(part, 'owner_id', next['id'], { owner_type: task }),
  ])
  const parts = rows.map((row) => Number(row[`${people.named.field}_id`]))
  const current = member ? (next[`${member}_id`] ?? null) : null
  const known: People = { isApproval, member: current === null ? null : Number(current), parts, named, all, requesters }
  const told = member ? toldToTask(known) : toldToProjectTask(known)
  const id = Number(next['id'])
  if (told.member === null) return { id, item: null, parts: told.parts }
  const team = await teamFor(context, asking, { template, of: people.of, member: told.member })
  const body = { [`${member}_id`]: told.member, ...(team !== null && { team_id: team }) }
  return { id, item: { id, body }, parts: told.parts }
}

/** A team of the new member, in place of one that the task got only because it had no member; null if the team stays. */
async function teamFor(
  context: RuleContext,
  { fieldOf, load, next }: Asking,
  { member, of, template }: { readonly template: Row; readonly of: string; readonly member: number },
): Promise<Json> {
  const ofTemplate = await load('team', template['team_id'])
  if (ofTemplate && ofTemplate['disabled'] !== true) return null
  const { column, record } = fieldOf(of)
  const manager = (await load(record, next[column]))?.['manager_id']
  const [own, ofManager] = await Promise.all([teamOf(context, member), teamOf(context, manager)])
  const isStopgap = next['team_id'] === null || next['team_id'] === ofManager
  return isStopgap ? own : null
}

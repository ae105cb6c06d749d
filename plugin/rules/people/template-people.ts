/** People that a template gives its tasks to (behaviour: Task templates, Project task templates). */
import type { Json } from '../../schema/kinds/fields.js'
import type { Row, RuleContext, RuleItem } from '../../schema/language/define-rule.js'

/** The fields by which a task finds its template, and the people whom the template names. */
export interface PeopleSettings {
  readonly template: string
  /** The change or project that the task belongs to. */
  readonly of: string
  /** Sub-records of the template that name people, and their field with the person. */
  readonly named: { readonly record: string; readonly field: string }
  /** Requests from which the requester is taken, and their reference to the change or project. */
  readonly requests: string
  readonly services: string
  readonly people: string
  readonly organizations: string
}

/** A person whom a template names. */
export interface Chosen {
  readonly person: number
  /** Planned effort in hours. */
  readonly effort: Json
}

/** A task that asks for its people, with lookups. */
export type Asking = Pick<RuleContext, 'fieldOf' | 'findBy' | 'load' | 'next'>

/** The roles that a template names by `assign_to_…`, in their order: `change_manager` is that of the field `of`. */
export function rolesOf({ of }: Pick<PeopleSettings, 'of'>): readonly string[] {
  return [`${of}_manager`, ...ROLES_OF_REQUESTER, 'service_owner']
}

/** Roles that have a person only if a request refers to the change or project. */
export const ROLES_OF_REQUESTER = ['requester', 'requester_manager', 'requester_business_unit_manager'] as const

/** A task that is stored, or about to be created, asks: `records` are the types of the template and of the change or project. */
export function askingFor(
  { findBy, load }: Pick<RuleContext, 'findBy' | 'load'>,
  records: { readonly [field: string]: string },
  next: Asking['next'],
): Asking {
  const fieldOf = (field: string) => ({ column: `${field}_id`, record: records[field] ?? '', enumeration: '', values: [] })
  return { fieldOf, findBy, load, next }
}

/** The template of the task; null if it has none. */
export async function templateOf({ fieldOf, load, next }: Asking, field: string): Promise<Row | null> {
  const { column, record } = fieldOf(field)
  return load(record, next[column])
}

/** People whom the template names one by one, as approvers or assignees. Disabled people are omitted. */
export async function namedPeople(context: Asking, settings: PeopleSettings): Promise<readonly Chosen[]> {
  const { fieldOf, findBy } = context
  const template = await templateOf(context, settings.template)
  if (!template) return []
  const { field, record } = settings.named
  const owner_type = fieldOf(settings.template).record
  const rows = await findBy(record, 'owner_id', template['id'], { owner_type }, { trusted: true })
  const named = rows.map((row) => ({ person: Number(row[`${field}_id`]), effort: row['planned_effort'] ?? null }))
  return enabled(context, settings, named)
}

/**
 * People whom the template means by `assign_to_…`, in this order: the manager of the change or project, the requester, the
 * manager of the requester, the manager of the business unit, and the owner of the service. The requester is the person that
 * the first request of the change or project is for.
 */
export async function peopleInRoles(
  context: Asking,
  settings: PeopleSettings,
  roles = rolesOf(settings),
): Promise<readonly Chosen[]> {
  const template = await templateOf(context, settings.template)
  if (!template) return []
  const around = rolesAround(context, settings)
  const chosen = await Promise.all(
    roles.map(async (role): Promise<Chosen | null> => {
      const person = template[`assign_to_${role}`] === true ? await around[role]?.() : null
      return person ? { person: Number(person), effort: template[`planned_effort_${role}`] ?? null } : null
    }),
  )
  return enabled(
    context,
    settings,
    chosen.filter((one) => one !== null),
  )
}

/** Approvers of an approval task: whom the template names, its member, and the people in its roles, each once. */
export async function approversOf(context: Asking, settings: PeopleSettings): Promise<readonly Chosen[]> {
  const template = await templateOf(context, settings.template)
  const member = Number(template?.['member_id'] ?? 0)
  const [named, single, inRoles] = await Promise.all([
    namedPeople(context, settings),
    member > 0 ? enabled(context, settings, [{ person: member, effort: null }]) : [],
    peopleInRoles(context, settings),
  ])
  return eachOnce([...named, ...single, ...inRoles])
}

/** The people, each with the first effort. */
export function eachOnce(people: readonly Chosen[]): readonly Chosen[] {
  return people.filter(({ person }, index) => people.findIndex((other) => other.person === person) === index)
}

/** Sub-records of a task, one for each person: approvals or assignments. */
export function partsFor(
  owner: { readonly type: string; readonly id: number },
  field: string,
  people: readonly Chosen[],
): readonly RuleItem[] {
  return people.map(({ effort, person }) => ({ id: null, body: { [`${field}_id`]: person, planned_effort: effort }, owner }))
}

/** Functions that find the person in each role. */
function rolesAround(
  { fieldOf, findBy, load, next }: Asking,
  settings: PeopleSettings,
): { readonly [role: string]: () => Promise<Json | undefined> } {
  const { column, record } = fieldOf(settings.of)
  const owner = () => load(record, next[column])
  const requester = async (): Promise<Json | undefined> => {
    const [request] = await findBy(settings.requests, settings.of, next[column])
    return request?.['requested_for_id'] ?? request?.['requested_by_id']
  }
  const requesterRow = async () => load(settings.people, await requester())
  return {
    [`${settings.of}_manager`]: async () => (await owner())?.['manager_id'],
    requester,
    requester_manager: async () => (await requesterRow())?.['manager_id'],
    requester_business_unit_manager: async () => {
      const organization = await load(settings.organizations, (await requesterRow())?.['organization_id'])
      return (await load(settings.organizations, organization?.['business_unit_organization_id']))?.['manager_id']
    },
    service_owner: async () => (await load(settings.services, (await owner())?.['service_id']))?.['service_owner_id'],
  }
}

async function enabled({ load }: Asking, { people }: PeopleSettings, chosen: readonly Chosen[]): Promise<readonly Chosen[]> {
  const rows = await Promise.all(chosen.map(({ person }) => load(people, person)))
  return chosen.filter((_, index) => rows[index] && rows[index]['disabled'] !== true)
}

/**
 * Stored values that follow from others, computed from stored rows without any code of the plugin: simple and slow. The sentences
 * are those of behaviour.md. ADR 0049.
 */
import { createHash } from 'node:crypto'
import type { Row } from '../../plugin/schema/language/define-rule.js'
import { ical, nextOccurrence } from './expected-recurrence.js'
import { AFFECTED, SERVICE_LEVELS } from './expected-service-levels.js'
import { localTime } from './expected-times.js'
import { WORKFLOWS } from './expected-workflows.js'
import { type Compute, entered, organizationsAbove, type StoredWorld } from './stored-world.js'

/** A value that is not one column of the records of its type. */
interface Elsewhere {
  /** The type of the records that it is compared for. */
  readonly type: string
  readonly actual: Compute
  readonly expected: Compute
}

const onlyFor =
  (column: string, field: string, values: readonly unknown[], otherwise: unknown = null): Compute =>
  (row) =>
    values.includes(row[field]) ? row[column] : otherwise
const isOneOf =
  (field: string, values: readonly unknown[]): Compute =>
  (row) =>
    values.includes(row[field])
const stamped =
  (type: string, values: readonly unknown[]): Compute =>
  (row, world) =>
    values.includes(row['status']) ? entered(world, type, row['id'], values) : null
const counted =
  (type: string, column: string): Compute =>
  (row, world) =>
    world.by(type, column, row['id']).length
const firstOf =
  (column: string, table: string, from: string): Compute =>
  (row, world) => {
    const ids = world.linked(table, from, row['id'])
    return ids.includes(Number(row[column])) ? row[column] : (ids[0] ?? null)
  }
const inZone =
  (column: string): Compute =>
  (row) =>
    row[column] === null ? null : localTime(row['time_zone'], String(row[column]))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const IN_HAND = ['declined', 'assigned', 'accepted', 'in_progress', 'waiting_for']
const FINISHED = ['failed', 'rejected', 'completed', 'approved', 'canceled']
const OF_SERVICES = ['incident', 'rfc', 'rfi']

/** A time that stays until the task is registered again, or that somebody has set. */
function stampOfTask(type: string, column: string, values: readonly unknown[]): Compute {
  return (row, world) => {
    const trail = world.trail(type, row['id'])
    const byHand = trail.filter(({ changes }) => column in changes && !('status' in changes)).at(-1)
    const time = entered(world, type, row['id'], values)
    if (column === 'finished_at' ? !values.includes(row['status']) : row['status'] === 'registered') return null
    return byHand && byHand.at > (time ?? '') ? byHand.changes[column]?.[1] : time
  }
}

function reviewed(row: Row): boolean {
  const isSolved = row['completion_reason'] === 'solved' && row['impact'] !== 'top'
  const isLinked = row['problem_id'] !== null || row['change_id'] !== null || row['service_instance_id'] === null
  return isSolved || isLinked || row['grouping'] === 'grouped' || row['reviewed'] === true
}

const isInternal = (row: Row, world: StoredWorld) => {
  const own = world.account.organization
  return own === null || organizationsAbove(world, row['id']).some(({ id }) => id === own)
}
const unitOf = (row: Row, world: StoredWorld) =>
  organizationsAbove(world, row['id']).find((one) => one['business_unit'] === true)

function agreement(type: string): Readonly<Record<string, Compute>> {
  const timed =
    (column: string): Compute =>
    (row, { times }) => {
      const key = `${type} ${row['id']} ${column}`
      return key in times ? times[key] : row[column]
    }
  return {
    [`${type}.begins_at`]: timed('begins_at'),
    [`${type}.ends_at`]: timed('ends_at'),
    [`${type}.status`]: (row, { now }) => {
      const [begins, ends] = [row['begins_at'] ?? null, row['ends_at'] ?? null]
      if (!['active', 'scheduled_for_activation'].includes(String(row['status']))) return row['status']
      if (ends !== null && String(ends) <= now) return 'expired'
      return begins !== null && String(begins) <= now ? 'active' : row['status']
    },
  }
}

function tasks(type: string): Readonly<Record<string, Compute>> {
  return {
    [`${type}.waiting_until`]: onlyFor('waiting_until', 'status', ['waiting_for']),
    [`${type}.assigned_at`]: stampOfTask(type, 'assigned_at', IN_HAND),
    [`${type}.finished_at`]: stampOfTask(type, 'finished_at', FINISHED),
  }
}

/** The text of a translation of the account's language is that of the broadcast. */
const translationOf = (row: Row, world: StoredWorld) =>
  world.parts('broadcast_translation', 'broadcast', row['id']).find(({ locale }) => locale === world.account.locale)

const cents = (value: unknown) => Math.round(Number(value ?? 0) * 100)
const costs = (row: Row) => cents(row['cost_of_effort']) + cents(row['cost_of_purchases'])
const wordOf = (value: unknown) => String(value).trim().toLowerCase().replace(/\s/g, '_')

/** Relations of a record, as `kind other`. */
const related = (part: string, owner: string, of: string, kind: string) => (row: Row, world: StoredWorld) =>
  world.parts(part, owner, row['id']).map((one) => `${one[kind]} ${one[of]}`)
/** The relations that mirror those of other records with this one. */
const mirrored =
  (part: string, of: string, kind: string, inverse: Readonly<Record<string, string>> = {}) =>
  (row: Row, world: StoredWorld) =>
    world
      .by(part, of, row['id'])
      .map((one) => `${inverse[String(one[kind])] ?? one[kind]} ${one['owner_id']}`)
      .sort()
const SERVICE = ['service_instance_id', 'impact_relation'] as const
const INVERSE = { parent: 'child', child: 'parent' }
const sorted = (compute: (row: Row, world: StoredWorld) => readonly string[]) => (row: Row, world: StoredWorld) =>
  [...compute(row, world)].sort()

export const ELSEWHERE: Readonly<Record<string, Elsewhere>> = {
  'affected_sla.request': AFFECTED,
  'ci_relation.relation_type': {
    type: 'ci',
    actual: sorted(related('ci_relation', 'ci', 'ci_id', 'relation_type')),
    expected: mirrored('ci_relation', 'ci_id', 'relation_type', INVERSE),
  },
  'parent_service_instance.impact_relation': {
    type: 'service_instance',
    actual: sorted(related('parent_service_instance', 'service_instance', ...SERVICE)),
    expected: mirrored('child_service_instance', ...SERVICE),
  },
  'child_service_instance.impact_relation': {
    type: 'service_instance',
    actual: sorted(related('child_service_instance', 'service_instance', ...SERVICE)),
    expected: mirrored('parent_service_instance', ...SERVICE),
  },
  'broadcast_translation.message': {
    type: 'broadcast',
    actual: (row, world) => translationOf(row, world)?.['message'] ?? null,
    // Without a message in that language, the one of the broadcast is shown until it is changed.
    expected: (row, world) => {
      const isWritten = world.before?.get('broadcast', row['id'])?.['message'] !== row['message']
      return translationOf(row, world) || isWritten ? row['message'] : null
    },
  },
}

export const COMPUTATIONS: Readonly<Record<string, Compute>> = {
  ...WORKFLOWS,
  ...SERVICE_LEVELS,
  ...agreement('sla'),
  ...agreement('flsa'),
  ...agreement('contract'),
  ...tasks('task'),
  ...tasks('project_task'),
  'request.addressed': (row) => row['satisfaction'] === 'dissatisfied' && row['addressed'],
  'request.grouping': (row) => (row['grouped_into_id'] !== null ? 'grouped' : row['grouping'] === 'group' ? 'group' : 'none'),
  'request.impact': onlyFor('impact', 'category', OF_SERVICES),
  'request.service_instance': onlyFor('service_instance_id', 'category', OF_SERVICES),
  'request.reviewed': reviewed,
  'request.completed_at': stamped('request', ['completed']),
  'request.new_assignment': isOneOf('status', ['assigned', 'declined']),
  'request.waiting_until': onlyFor('waiting_until', 'status', ['waiting_for']),
  'request.ci': firstOf('ci_id', 'request_cis', 'request_id'),
  'request.knowledge_article': firstOf('knowledge_article_id', 'request_knowledge_articles', 'request_id'),
  'sla.customer_rep': firstOf('customer_rep_id', 'sla_customer_representatives', 'sla_id'),
  'request_template.times_applied': counted('request', 'template_id'),
  'knowledge_article.times_applied': counted('request', 'knowledge_article_id'),
  'change_template.times_applied': counted('change', 'template_id'),
  'task_template.times_applied': counted('task', 'template_id'),
  'project_task_template.times_applied': counted('project_task', 'template_id'),
  'change.completed_at': stamped('change', ['completed']),
  'project.completed_at': stamped('project', ['completed']),
  'release.completed_at': stamped('release', ['completed']),
  'problem.solved_at': stamped('problem', ['solved']),
  'problem.new_assignment': isOneOf('status', ['declined', 'assigned']),
  'problem.waiting_until': onlyFor('waiting_until', 'status', ['waiting_for']),
  'task.new_assignment': isOneOf('status', ['declined', 'assigned']),
  'project_task_assignment.waiting_until': onlyFor('waiting_until', 'status', ['waiting_for']),
  'project_task.deadline': onlyFor('deadline', 'category', ['milestone']),
  'project.total_cost': (row) => (Number.isInteger(costs(row) / 100) ? `${costs(row) / 100}.0` : `${costs(row) / 100}`),
  'project.roi': (row) => (costs(row) === 0 ? null : Math.round(((cents(row['value']) - costs(row)) / costs(row)) * 100)),
  'organization.business_unit': (row, world) => row['business_unit'] === true && isInternal(row, world),
  'organization.business_unit_organization': (row, world) => unitOf(row, world)?.['id'] ?? null,
  'organization.region': (row, world) =>
    row['business_unit'] === true ? row['region'] : (unitOf(row, world)?.['region'] ?? null),
  'team.coordinator': (row, world) =>
    world.linked('team_members', 'team_id', row['id']).includes(Number(row['coordinator_id'])) ? row['coordinator_id'] : null,
  'calendar.holiday_key': (row, world) => {
    const holidays = world.linked('calendar_holidays', 'calendar_id', row['id'])
    return holidays.length === 0 ? null : sha256(holidays.join()).slice(0, 16)
  },
  'product_category.reference': (row) => `${wordOf(row['group'])}/${wordOf(row['name'])}`,
  'product_category.software': isOneOf('rule_set', ['software', 'software_distribution_package']),
  'product_category.ci_type': ({ rule_set }) =>
    rule_set === 'software'
      ? 'software_version'
      : rule_set === 'license_certificate'
        ? 'software_license_certificate'
        : 'hardware',
  'ci.license_type': (row, world) => {
    const category = world.get('product', row['product_id'])?.['category_id']
    return world.get('product_category', category)?.['rule_set'] === 'license_certificate' ? row['license_type'] : null
  },
  'recurrence.day_of_week': (row) => row['day_of_week'] === true && ['monthly', 'yearly'].includes(String(row['frequency'])),
  'recurrence.ical': ical,
  'recurrence.next_occurrence_at': nextOccurrence,
  'contact.digits_reversed': (row) => {
    const digits = String(row['uri']).replace(/\D/g, '').replace(/^0+/, '')
    return row['protocol'] === 'telephone' ? [...digits].reverse().join('') : null
  },
  'note.digest': (row) => sha256(String(row['text'])),
  'broadcast.starts_at': inZone('start_at'),
  'broadcast.ends_at': inZone('end_at'),
  'broadcast.message': (row, world) => translationOf(row, world)?.['message'] ?? row['message'],
  ...Object.fromEntries(
    ['html', 'css', 'javascript'].map((text): [string, Compute] => [
      `ui_extension_version.${text}`,
      (row, world) => (world.by('ui_extension', 'prepared_version_id', row['id'])[0] ?? row)[text],
    ]),
  ),
}

/** Every computed value and the stored one, by `<type>.<field> <id>`. */
export function comparedValues(world: StoredWorld, columnOf: (value: string) => string) {
  const actual: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  const note = (name: string, row: Row, is: unknown, should: unknown) => {
    actual[`${name} ${row['id']}`] = is ?? null
    expected[`${name} ${row['id']}`] = should ?? null
  }
  for (const [name, compute] of Object.entries(COMPUTATIONS))
    for (const row of world.of(name.split('.')[0] ?? '')) note(name, row, row[columnOf(name)], compute(row, world))
  for (const [name, { type, ...compute }] of Object.entries(ELSEWHERE))
    for (const row of world.of(type)) note(name, row, compute.actual(row, world), compute.expected(row, world))
  return { actual, expected }
}

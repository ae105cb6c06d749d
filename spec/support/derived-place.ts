/** A small account with a record of each type whose stored values follow from others, and short ways to change it as people do. */
import { type Call, ROLES, type Role } from '../../plugin/core/call.js'
import type { Owner } from '../../plugin/operations/contract.js'
import type { House } from './house.js'

/** Ids by name. */
type Ids = Record<string, number>

/** Who does it: Mia has all roles; the system may do what nobody may. */
export interface Place {
  readonly house: House
  at(name: string): number
  /** Changes a record as Mia. */
  change(type: string, name: string, body: object): Promise<unknown>
  /** The same as the system. */
  asSystem(type: string, name: string, body: object): Promise<unknown>
  /** Creates a record as Mia, below an owner if there is one. */
  add(name: string, type: string, body: object, owner?: readonly [type: string, name: string]): Promise<unknown>
  remove(type: string, name: string, owner?: readonly [type: string, name: string]): Promise<unknown>
  link(type: string, name: string, path: string, other: string): Promise<unknown>
  unlink(type: string, name: string, path: string, other: string): Promise<unknown>
  /** Saves many records, as an import does. */
  importAll(type: string, items: readonly (readonly [name: string, body: object])[]): Promise<unknown>
  account(values: object): Promise<unknown>
  call(name: string): Promise<Call>
  person(name: string, roles?: readonly Role[]): Promise<void>
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri']
const week = (time_from: string, time_until: string) => DAYS.map((weekday) => ({ weekday, time_from, time_until }))

/** Times of the place are whole minutes. */
export function minuteLater({ clock }: House): void {
  clock.set(`${new Date(clock.now().getTime() + 60_000).toISOString().slice(0, 19)}Z`)
}

export function placeIn(house: House): Place {
  const ids: Ids = {}
  const at = (name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`There is no '${name}'`)
    return id
  }
  const ownerOf = (owner?: readonly [string, string]): Owner | undefined => owner && { type: owner[0], id: at(owner[1]) }
  const call = (name: string) => house.by(at(name))
  return {
    house,
    at,
    call,
    change: async (type, name, body) => house.operations.save(await call('mia'), type, at(name), body),
    asSystem: async (type, name, body) => house.operations.save(await house.system(), type, at(name), body),
    async add(name, type, body, owner) {
      const by = 'mia' in ids ? await call('mia') : await house.system()
      ids[name] = Number((await house.operations.save(by, type, null, body, ownerOf(owner)))['id'])
    },
    remove: async (type, name, owner) => house.operations.remove(await call('mia'), type, at(name), ownerOf(owner)),
    link: async (type, name, path, other) => house.operations.link(await call('mia'), { type, id: at(name) }, path, at(other)),
    unlink: async (type, name, path, other) =>
      house.operations.unlink(await call('mia'), { type, id: at(name) }, path, at(other)),
    async importAll(type, items) {
      const inside = await house.by(at('mia'), { origin: 'import' })
      await house.operations.saveAll(
        inside,
        type,
        items.map(([name, body]) => ({ id: at(name), body })),
      )
    },
    async account(values) {
      await house.accounts.put({ id: 'acme', name: 'ACME', ...values })
      // By then every process knows them.
      minuteLater(house)
    },
    async person(name, roles = []) {
      ids[name] = await house.addPerson(name, roles)
    },
  }
}

/** Fills the account. */
export async function fillPlace(place: Place): Promise<void> {
  const { account, add, at, change, link, person } = place
  await account({ timeZone: 'Amsterdam', locale: 'en-US' })
  await person('mia', ROLES)
  for (const name of ['cora', 'ines', 'ann', 'bob']) await person(name)

  const organization = (name: string, body: object = {}) => add(name, 'organization', { name, ...body })
  await organization('root')
  await account({ organizationId: at('root') })
  await organization('europe', { parent_id: at('root'), business_unit: true, region: 'EU' })
  await organization('asia', { parent_id: at('root'), business_unit: true, region: 'AS' })
  await organization('office', { parent_id: at('europe') })
  await organization('desk', { parent_id: at('office') })
  await organization('vendor')
  await organization('partner', { parent_id: at('vendor') })

  await add('hours', 'calendar', { name: 'Office hours', calendar_hours: week('09:00', '17:00') })
  await add('others', 'calendar', { name: 'Other hours', calendar_hours: week('06:00', '21:30') })
  await add('day off', 'holiday', { name: 'Day off', start_at: '2020-01-01T00:00', end_at: '2020-01-01T24:00' })
  await add('plain', 'team', { name: 'Plain', work_hours_id: at('hours'), member_ids: [at('mia'), at('cora')] })
  await change('team', 'plain', { coordinator_id: at('cora') })
  await add('zoned', 'team', { name: 'Zoned', time_zone: 'London', work_hours_id: at('hours'), member_ids: [at('mia')] })
  for (const name of ['other team', 'spare']) await add(name, 'team', { name, member_ids: [at('mia')] })

  await fillAssets(place)
  await fillServices(place)
  await fillTemplates(place)
  await fillRequests(place)
  await fillWork(place)
  await fillTexts(place)
  await link('request', 'high', 'cis', 'license')
}

async function fillAssets({ add, at }: Place): Promise<void> {
  for (const [name, rule_set] of [
    ['licenses', 'license_certificate'],
    ['machines', 'physical_asset'],
  ] as const)
    await add(name, 'product_category', { group: 'Things', name, rule_set })
  await add('office suite', 'product', { brand: 'Soft', model: 'Suite', category_id: at('licenses') })
  await add('notebook', 'product', { brand: 'Hard', model: 'Book', category_id: at('machines') })
  const item = { status: 'in_production', support_team_id: at('plain') }
  await add('license', 'ci', { ...item, product_id: at('office suite'), license_type: 'cpu_license' })
  await add('another license', 'ci', { ...item, product_id: at('office suite'), license_type: 'cpu_license' })
  await add('computer', 'ci', { ...item, product_id: at('notebook') })
}

async function fillServices({ add, at }: Place): Promise<void> {
  await add('mail service', 'service', { name: 'Mail', provider_id: at('partner'), support_team_id: at('zoned') })
  await add('web service', 'service', { name: 'Web', provider_id: at('root') })
  const instance = (name: string, body: object = {}) =>
    add(name, 'service_instance', { name, service_id: at('mail service'), support_team_id: null, ...body })
  await instance('server', { first_line_team_id: at('plain') })
  await instance('mail', { first_line_team_id: at('plain'), support_team_id: at('zoned') })
  await instance('portal', { first_line_team_id: at('other team') })
  await add('server below mail', 'child_service_instance', { service_instance_id: at('server'), impact_relation: 'down' }, [
    'service_instance',
    'mail',
  ])
  await add('mail below portal', 'child_service_instance', { service_instance_id: at('mail'), impact_relation: 'down' }, [
    'service_instance',
    'portal',
  ])
  const targets = { low: 1200, medium: 900, high: 600, top: 300 }
  await instance('lone', { first_line_team_id: at('spare'), service_id: at('web service') })
  const offered = Object.entries(targets).flatMap(([impact, minutes]) => [
    [`response_target_${impact}`, minutes],
    [`resolution_target_${impact}`, minutes * 2],
    [`support_hours_${impact}_id`, at(impact === 'top' ? 'others' : 'hours')],
  ])
  const body = { service_id: at('mail service'), service_hours_id: at('hours'), ...Object.fromEntries(offered) }
  await add('standard', 'service_offering', { ...body, name: 'Standard' })
  await add('premium', 'service_offering', {
    name: 'Premium',
    service_id: at('mail service'),
    response_target_low: 33,
    time_zone: 'Tokyo',
  })
  const agreement = { customer_id: at('root'), coverage: 'people', status: 'active', service_offering_id: at('standard') }
  for (const instance of ['server', 'mail', 'portal', 'lone'])
    await add(`sla of ${instance}`, 'sla', {
      ...{ ...agreement, name: `SLA of ${instance}`, service_instance_id: at(instance), person_ids: [at('ines')] },
      ...{ customer_representative_ids: [at('ann'), at('bob')], start_date: '2026-11-01', expiry_date: '2027-06-30' },
    })
  const dates = { start_date: '2027-02-01', expiry_date: '2027-03-31', status: 'scheduled_for_activation' }
  await add('flsa', 'flsa', { name: 'Desk', provider_id: at('vendor'), customer_id: at('root'), ...dates })
  await add('contract', 'contract', { name: 'Lease', category: 'lease_contract', ...dates })
}

async function fillTemplates({ add, at }: Place): Promise<void> {
  for (const name of ['form', 'other form'])
    await add(name, 'request_template', { subject: name, service_id: at('mail service') })
  await add(
    'of form',
    'standard_service_request',
    { request_template_id: at('form'), response_target: 77, support_hours_id: at('others') },
    ['service_offering', 'standard'],
  )
  for (const name of ['plan', 'other plan']) await add(name, 'change_template', { subject: name })
  for (const name of ['step', 'other step'])
    await add(name, 'task_template', { subject: name, category: 'implementation', planned_duration: 8 })
  for (const name of ['part', 'other part'])
    await add(name, 'project_task_template', { subject: name, category: 'activity', planned_duration: 8 })
}

async function fillRequests({ add, at }: Place): Promise<void> {
  const request = (name: string, body: object) =>
    add(name, 'request', {
      ...{ subject: name, category: 'incident', impact: 'low', service_instance_id: at('server'), team_id: at('plain') },
      ...{ requested_by_id: at('ines'), requested_for_id: at('ines'), member_id: null, ...body },
    })
  for (const impact of ['low', 'medium', 'high', 'top']) await request(impact, { impact })
  await request('on mail', { service_instance_id: at('mail'), impact: 'top' })
  await request('of form request', { template_id: at('form'), impact: 'medium' })
  // At a service instance of its own, which nobody else's requests concern.
  const lone = { service_instance_id: at('lone'), team_id: at('spare') }
  await request('alone', { ...lone, impact: 'high' })
  await request('of bob', { ...lone, requested_for_id: at('bob') })
  await request('wish of bob', { ...lone, requested_for_id: at('bob'), category: 'rfi', impact: 'high' })
  await request('another wish', { ...lone, requested_for_id: at('bob'), category: 'rfi' })
  await request('done', { status: 'completed', completion_reason: 'gone' })
  await request('elsewhere', { service_instance_id: null, category: 'rfi', impact: null, requested_for_id: at('bob') })
}

async function fillWork({ add, at, change }: Place): Promise<void> {
  for (const name of ['spring', 'summer']) await add(name, 'release', { subject: name, manager_id: at('mia') })
  const plan = { category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' }
  const about = { release_id: at('spring'), template_id: at('plan'), service_id: at('web service'), manager_id: at('mia') }
  for (const name of ['upgrade', 'later', 'small'])
    await add(name, 'change', {
      ...{ subject: name, ...plan, ...about },
      ...(name === 'later' && { start_at: '2026-12-20T09:00:00Z' }),
    })
  const task = (name: string, of: string, body: object = {}) =>
    add(name, 'task', {
      ...{ subject: name, category: 'implementation', change_id: at(of), template_id: at('step') },
      ...{ team_id: at('plain'), planned_duration: 10, ...body },
    })
  await task('risk', 'upgrade', { category: 'risk_and_impact', impact: 'low' })
  await task('approve', 'upgrade', { category: 'approval', predecessor_ids: [at('risk')], required_approvals: 2 })
  for (const approver of ['ann', 'bob'])
    await add(`approval of ${approver}`, 'task_approval', { approver_id: at(approver) }, ['task', 'approve'])
  await task('install', 'upgrade', { predecessor_ids: [at('approve')], impact: 'medium', team_id: at('zoned') })
  await task('check', 'upgrade', { predecessor_ids: [at('install')] })
  await task('first later', 'later')
  await task('second later', 'later', { predecessor_ids: [at('first later')] })
  await task('only', 'small', { impact: 'high' })
  await add('office move', 'project', {
    ...{ subject: 'New office', program: 'Growth', justification: 'move', customer_id: at('root'), manager_id: at('mia') },
    ...{ service_id: at('web service'), time_zone: 'Amsterdam', work_hours_id: at('hours'), cost_of_effort: 100, value: 400 },
  })
  for (const name of ['prepare', 'build', 'unused', 'last'])
    await add(name, 'project_phase', { name }, ['project', 'office move'])
  await add('short', 'project', {
    ...{ subject: 'Short', program: 'Growth', justification: 'move', customer_id: at('root'), manager_id: at('mia') },
    ...{ service_id: at('web service'), time_zone: 'Amsterdam', work_hours_id: at('hours') },
  })
  const part = (name: string, body: object = {}) =>
    add(name, 'project_task', {
      ...{ subject: name, category: 'activity', project_id: at('office move'), template_id: at('part') },
      ...{ planned_duration: 12, ...body },
    })
  await part('short part', { project_id: at('short') })
  await part('draw', { phase_id: at('prepare') })
  await part('decide', { category: 'approval', phase_id: at('prepare'), predecessor_ids: [at('draw')] })
  for (const assignee of ['ann', 'bob'])
    await add(`decision of ${assignee}`, 'project_task_assignment', { assignee_id: at(assignee) }, ['project_task', 'decide'])
  await part('work', { phase_id: at('build'), predecessor_ids: [at('decide')] })
  await add('work of ann', 'project_task_assignment', { assignee_id: at('ann') }, ['project_task', 'work'])
  await part('celebrate', { category: 'milestone', deadline: '2027-01-01T09:00:00Z', predecessor_ids: [at('work')] })
  await add('problem', 'problem', {
    subject: 'Slow',
    impact: 'low',
    service_id: at('mail service'),
    manager_id: at('mia'),
    team_id: at('plain'),
  })
  await change('task', 'risk', { status: 'assigned' })
}

async function fillTexts({ add }: Place): Promise<void> {
  const article = { description: 'What', instructions: 'How' }
  for (const subject of ['how', 'why']) await add(subject, 'knowledge_article', { subject, ...article })
  await add('form of the desk', 'ui_extension', { name: 'Desk', category: 'person', html: 'a', css: 'b', javascript: 'c' })
  await add('phone', 'contact', { protocol: 'telephone', label: 'work', uri: '+31 6 1234 5678' }, ['person', 'bob'])
  await add('note', 'note', { text: 'Hello' }, ['request', 'elsewhere'])
  await add('news', 'broadcast', {
    ...{ message: 'All is well', message_type: 'info', time_zone: 'Amsterdam', start_at: '2026-12-01T09:00' },
    end_at: '2026-12-02T09:00',
  })
  await add('in Dutch', 'broadcast_translation', { locale: 'nl', message: 'Alles goed' }, ['broadcast', 'news'])
  const recurrence = { frequency: 'monthly', day_of_month: '15', time_of_day: '09:00', time_zone: 'Amsterdam' }
  await add('each month', 'change_template', { subject: 'Each month', recurrence: { ...recurrence, start_date: '2026-11-01' } })
}

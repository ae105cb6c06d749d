/** How each input of a stored value changes, and changes back, as people do it. Each step changes this input alone. ADR 0049. */
import { followingCall } from '../../plugin/core/call.js'
import type { Place } from './derived-place.js'
import { changesOfChanges, changesOfProjects } from './derived-plans.js'
import { type Step, settingIn } from './derived-steps.js'

export function changesIn(place: Place): Readonly<Record<string, readonly Step[]>> {
  return {
    ...changesOfPlaces(place),
    ...changesOfRequests(place),
    ...changesOfServices(place),
    ...changesOfChanges(place),
    ...changesOfProjects(place),
    ...changesOfTexts(place),
  }
}

function changesOfRequests(place: Place): Record<string, readonly Step[]> {
  const { asSystem, at, call, change, house, link, unlink } = place
  const set = settingIn(place)
  const rated = { status: 'completed', completion_reason: 'solved' }
  return {
    'request.category': [
      () => change('request', 'high', { category: 'complaint' }),
      () => change('request', 'high', { category: 'incident', impact: 'high', service_instance_id: at('server') }),
      ...set('request', 'low', 'category', 'rfc', 'incident'),
      ...set('request', 'alone', 'category', 'rfc', 'incident'),
      // Which agreements are affected, for somebody whom none covers.
      ...set('request', 'wish of bob', 'category', 'incident'),
    ],
    'request.impact': [
      ...set('request', 'on mail', 'impact', 'low', 'medium', 'top'),
      ...set('request', 'low', 'impact', 'medium', 'low'),
      ...set('request', 'of bob', 'impact', 'high', 'low'),
    ],
    'request.service_instance': [
      ...set('child_service_instance', 'server below mail', 'impact_relation', 'degraded'),
      ...set('request', 'medium', 'service_instance_id', at('mail'), at('portal'), at('server')),
      ...set('child_service_instance', 'server below mail', 'impact_relation', 'down'),
      ...set('request', 'wish of bob', 'category', 'rfi'),
      ...set('request', 'alone', 'service_instance_id', null, at('lone')),
      () => change('request', 'elsewhere', { category: 'rfc', impact: 'low', requested_for_id: at('ines') }),
      ...set('request', 'elsewhere', 'service_instance_id', at('mail'), null),
    ],
    'request.status': [
      ...set('request', 'low', 'status', 'in_progress', 'waiting_for_customer'),
      ...set('request', 'low', 'status', 'assigned'),
      () => change('request', 'low', { status: 'waiting_for', waiting_until: '2027-03-01T09:00:00Z' }),
      ...set('request', 'low', 'status', 'accepted'),
      () => change('request', 'low', rated),
      () => change('request', 'low', { status: 'assigned' }),
      () => change('request', 'top', { status: 'completed', completion_reason: 'gone' }),
      // What was promised changes while the request is completed.
      () => change('service_offering', 'standard', { response_target_top: 444, time_zone: 'London' }),
      () => change('request', 'top', { status: 'assigned' }),
      () => change('service_offering', 'standard', { response_target_top: 300, time_zone: null }),
    ],
    'request.satisfaction': [
      () => change('request', 'high', rated),
      async () => {
        const rating = followingCall(await call('ines'), 'rating')
        return house.operations.save(rating, 'request', at('high'), { satisfaction: 'dissatisfied', note: 'Slow' })
      },
      () => change('request', 'high', { addressed: true }),
      async () => {
        const rating = followingCall(await call('ines'), 'rating')
        return house.operations.save(rating, 'request', at('high'), { satisfaction: 'satisfied' })
      },
      () => change('request', 'high', { status: 'assigned' }),
    ],
    'request.grouped_into': [
      ...set('request', 'low', 'reviewed', false),
      ...set('request', 'low', 'grouped_into_id', at('medium')),
      ...set('request', 'low', 'impact', 'high'),
      ...set('request', 'low', 'grouped_into_id', null),
      ...set('request', 'medium', 'grouped_into_id', null),
      ...set('request', 'low', 'impact', 'low'),
      ...set('request', 'low', 'reviewed', false),
    ],
    'request.completion_reason': [
      () => change('request', 'medium', { reviewed: false, status: 'completed', completion_reason: 'gone' }),
      () => change('request', 'medium', { completion_reason: 'solved' }),
      () => change('request', 'medium', { status: 'assigned', reviewed: false }),
    ],
    'request.problem': [
      ...set('request', 'medium', 'problem_id', at('problem'), null),
      ...set('request', 'medium', 'reviewed', false),
    ],
    'request.change': [
      () => link('change', 'small', 'requests', 'medium'),
      () => unlink('change', 'small', 'requests', 'medium'),
      ...set('request', 'medium', 'reviewed', false),
    ],
    'request.template': set('request', 'low', 'template_id', at('form'), at('other form'), null),
    'request.team': set('request', 'alone', 'team_id', at('plain'), at('spare')),
    'request.requested_for': [
      ...set('request', 'low', 'requested_for_id', at('bob'), at('ines')),
      ...set('request', 'another wish', 'requested_for_id', at('ines'), at('bob')),
    ],
    'request.desired_completion_at': set(
      'request',
      'low',
      'desired_completion_at',
      '2027-02-01T09:00:00Z',
      '2026-11-18T10:00:00Z',
      null,
    ),
    'request.downtime_start_at': [
      () => change('request', 'top', { downtime_start_at: '2026-11-18T09:00:00Z', downtime_end_at: '2026-11-19T16:30:00Z' }),
      ...set('request', 'top', 'downtime_start_at', '2026-11-18T10:00:00Z'),
    ],
    'request.downtime_end_at': set('request', 'top', 'downtime_end_at', '2026-11-19T10:00:00Z', '2026-11-19T16:30:00Z'),
    'request.cis': [
      () => link('request', 'high', 'cis', 'computer'),
      () => unlink('request', 'high', 'cis', 'license'),
      ...set('request', 'high', 'ci_ids', [at('license'), at('computer')], []),
      ...set('request', 'high', 'ci_id', at('license')),
    ],
    'request.knowledge_articles': [...set('request', 'high', 'knowledge_article_id', at('how'), at('why'), null)],
    'request.knowledge_article': set('request', 'high', 'knowledge_article_id', at('how'), null),
    'request.response_events': ['medium', 'alone', 'of bob', 'on mail', 'elsewhere'].flatMap((name) =>
      [1, 2, 0].map((response_events) => () => countEvents(place, name, { response_events })),
    ),
    'request.resolution_events': ['low', 'high'].flatMap((name) =>
      [1, 2, 0].map((resolution_events) => () => countEvents(place, name, { resolution_events })),
    ),
    'affected_sla.accountability': [
      () => saveAffected(place, 'low', { accountability: 'sla_not_affected' }, 'mia'),
      () => saveAffected(place, 'low', { accountability: 'provider' }, 'mia'),
    ],
    'affected_sla.started_at': ['low', 'done'].map(
      (name) => () => saveAffected(place, name, { started_at: '2026-11-16T15:00:00Z' }),
    ),
    'affected_sla.stopped_clock_duration': ['low', 'done'].flatMap((name) =>
      [60, 0].map((stopped_clock_duration) => () => saveAffected(place, name, { stopped_clock_duration })),
    ),
    'affected_sla.support_hours': [at('others'), at('hours')].map(
      (support_hours_id) => () => saveAffected(place, 'done', { support_hours_id }),
    ),
    'affected_sla.time_zone': ['Tokyo', null].map((time_zone) => () => saveAffected(place, 'done', { time_zone })),
    'note.text': [() => asSystem('note', 'note', { text: 'Good day' })],
    'problem.status': [
      ...set('problem', 'problem', 'status', 'in_progress'),
      () => change('problem', 'problem', { status: 'waiting_for', waiting_until: '2027-03-01T09:00:00Z' }),
      ...set('problem', 'problem', 'status', 'solved', 'assigned'),
    ],
  }
}

/** Sets what only timers set. */
async function countEvents({ at, house }: Place, request: string, body: object): Promise<void> {
  await house.operations.save({ ...(await house.system()), setsReadOnly: true }, 'request', at(request), body)
}

/** Saves the affected SLAs of a request: as a person what people may change, else as the system. */
async function saveAffected({ at, call, house }: Place, request: string, body: object, person?: string): Promise<void> {
  const where = { path: ['request'], op: 'in', values: [at(request)] } as const
  const by = person === undefined ? await house.system() : await call(person)
  for (const { id } of await house.queries.rows({}, { type: house.catalog.type('affected_sla'), where }))
    await house.operations.save(by, 'affected_sla', Number(id), body)
}

function changesOfServices(place: Place): Record<string, readonly Step[]> {
  const { account, add, at, change, importAll, link, remove, unlink } = place
  const set = settingIn(place)
  const IMPACTS = ['low', 'medium', 'high', 'top']
  const offering = (field: string, value: unknown, back: unknown) => set('service_offering', 'standard', field, value, back)
  const below = ['service_instance', 'mail'] as const
  const hoursOf = (impact: string) =>
    impact === 'top' ? ([at('hours'), at('others')] as const) : ([at('others'), at('hours')] as const)
  return {
    ...Object.fromEntries(
      IMPACTS.flatMap((impact, n) => [
        [`service_offering.support_hours_${impact}`, offering(`support_hours_${impact}_id`, ...hoursOf(impact))],
        [`service_offering.response_target_${impact}`, offering(`response_target_${impact}`, 61 + n, 1200 - 300 * n)],
        [`service_offering.resolution_target_${impact}`, offering(`resolution_target_${impact}`, null, 2400 - 600 * n)],
      ]),
    ),
    'service_offering.time_zone': offering('time_zone', 'London', null),
    'service_offering.service_hours': offering('service_hours_id', at('others'), at('hours')),
    'sla.service_offering': set('sla', 'sla of server', 'service_offering_id', at('premium'), at('standard')),
    'standard_service_request.request_template': [
      ...set('standard_service_request', 'of form', 'request_template_id', at('other form'), at('form')),
      () => remove('standard_service_request', 'of form', ['service_offering', 'standard']),
      () =>
        add(
          'of form',
          'standard_service_request',
          { request_template_id: at('form'), response_target: 77, support_hours_id: at('others') },
          ['service_offering', 'standard'],
        ),
    ],
    'standard_service_request.response_target': set('standard_service_request', 'of form', 'response_target', 55, null, 77),
    'standard_service_request.resolution_target': set('standard_service_request', 'of form', 'resolution_target', 555, null),
    'standard_service_request.support_hours': set(
      'standard_service_request',
      'of form',
      'support_hours_id',
      null,
      at('others'),
    ),
    'service_instance.first_line_team': [
      ...set('service_instance', 'server', 'first_line_team_id', at('zoned'), at('plain')),
      ...set('service_instance', 'lone', 'first_line_team_id', at('plain')),
    ],
    'service_instance.support_team': [
      ...set('service_instance', 'server', 'support_team_id', at('plain'), null),
      ...set('service_instance', 'lone', 'support_team_id', at('spare'), null),
    ],
    'service_instance.service': set('service_instance', 'server', 'service_id', at('web service'), at('mail service')),
    'service.support_team': set('service', 'mail service', 'support_team_id', at('other team'), at('zoned')),
    'service.provider': set('service', 'mail service', 'provider_id', at('root'), at('partner')),
    'parent_service_instance.impact_relation': [
      ...set('child_service_instance', 'mail below portal', 'impact_relation', 'degraded'),
      ...set('child_service_instance', 'server below mail', 'impact_relation', 'degraded', 'down'),
      ...set('child_service_instance', 'mail below portal', 'impact_relation', 'down'),
    ],
    'child_service_instance.service_instance': [
      ...set('child_service_instance', 'mail below portal', 'service_instance_id', at('server'), at('mail')),
    ],
    'child_service_instance.owner': [
      () => remove('child_service_instance', 'server below mail', below),
      () =>
        add(
          'server below mail',
          'child_service_instance',
          { service_instance_id: at('server'), impact_relation: 'down' },
          below,
        ),
    ],
    'parent_service_instance.service_instance': [
      () =>
        add('above server', 'parent_service_instance', { service_instance_id: at('portal'), impact_relation: 'degraded' }, [
          'service_instance',
          'server',
        ]),
      ...set('parent_service_instance', 'above server', 'service_instance_id', at('lone'), at('portal')),
      () => remove('parent_service_instance', 'above server', ['service_instance', 'server']),
    ],
    'parent_service_instance.owner': [
      () =>
        add(
          'mail above server',
          'parent_service_instance',
          { service_instance_id: at('portal'), impact_relation: 'degraded' },
          ['service_instance', 'server'],
        ),
      () => remove('parent_service_instance', 'mail above server', ['service_instance', 'server']),
    ],
    'account.organization': [
      () => account({ organizationId: at('vendor') }),
      () => account({ organizationId: at('root') }),
      () => change('organization', 'europe', { business_unit: true, region: 'EU' }),
      () => change('organization', 'asia', { business_unit: true, region: 'AS' }),
      () => account({ organizationId: null }),
      () => change('organization', 'vendor', { business_unit: true, region: 'V' }),
      () => account({ organizationId: at('root') }),
    ],
    'organization.parent': [
      ...set('organization', 'vendor', 'parent_id', at('root'), null),
      ...set('organization', 'office', 'parent_id', at('asia'), null, at('europe')),
      ...set('organization', 'europe', 'parent_id', at('vendor'), at('root')),
      () => change('organization', 'europe', { business_unit: true, region: 'EU' }),
      () =>
        importAll('organization', [
          ['office', { parent_id: at('asia') }],
          ['desk', { parent_id: at('europe') }],
        ]),
      () =>
        importAll('organization', [
          ['office', { parent_id: at('europe') }],
          ['desk', { parent_id: at('office') }],
        ]),
    ],
    'organization.business_unit': set('organization', 'office', 'business_unit', true, false),
    'organization.region': set('organization', 'europe', 'region', 'Europe', 'EU'),
    'team.members': [
      () => unlink('team', 'plain', 'members', 'cora'),
      () => change('team', 'plain', { member_ids: [at('mia'), at('cora')], coordinator_id: at('cora') }),
      () => change('person', 'cora', { team_ids: [] }),
      () => link('person', 'cora', 'teams', 'plain'),
      ...set('team', 'plain', 'coordinator_id', at('cora')),
      () => importAll('team', [['plain', { member_ids: [at('mia')] }]]),
      () => change('team', 'plain', { member_ids: [at('mia'), at('cora')], coordinator_id: at('cora') }),
    ],
    'calendar.holidays': [
      () => link('calendar', 'hours', 'holidays', 'day off'),
      () => unlink('holiday', 'day off', 'calendars', 'hours'),
    ],
    'sla.customer_representatives': [
      () => unlink('sla', 'sla of mail', 'customer_representatives', 'ann'),
      () => link('sla', 'sla of mail', 'customer_representatives', 'ann'),
      ...set('sla', 'sla of mail', 'customer_representative_ids', [], [at('bob'), at('ann')]),
    ],
    ...Object.fromEntries(
      ['sla', 'flsa', 'contract'].flatMap((type) => {
        const name = type === 'sla' ? 'sla of portal' : type
        return [
          ...(type === 'sla' ? [] : [[`${type}.time_zone`, set(type, name, 'time_zone', 'Tokyo', null)]]),
          [
            `${type}.start_date`,
            [
              ...set(type, name, 'start_date', '2027-02-02', '2027-02-01'),
              () => change(type, name, { status: 'scheduled_for_activation', start_date: '2026-11-01' }),
              () => change(type, name, { status: 'scheduled_for_activation', start_date: '2027-02-01' }),
            ],
          ],
          [
            `${type}.expiry_date`,
            [
              ...set(type, name, 'expiry_date', '2027-04-01', '2026-11-01', '2027-06-30'),
              () => change(type, name, { status: 'active', start_date: null }),
            ],
          ],
        ]
      }),
    ),
  }
}

function changesOfTexts(place: Place): Record<string, readonly Step[]> {
  const { account, add, asSystem, at, change, remove } = place
  const set = settingIn(place)
  const recurrence = (field: string, ...values: readonly unknown[]) =>
    values.map((value) => () => change('change_template', 'each month', { recurrence: { [field]: value } }))
  const together = (value: object) => () => change('change_template', 'each month', { recurrence: value })
  return {
    ...Object.fromEntries(
      ['html', 'css', 'javascript'].map((text) => [
        `ui_extension.${text}`,
        [
          ...set('ui_extension', 'form of the desk', text, 'one', 'two'),
          () => change('ui_extension', 'form of the desk', { activate: true }),
          ...set('ui_extension', 'form of the desk', text, 'three'),
        ],
      ]),
    ),
    'broadcast.start_at': set('broadcast', 'news', 'start_at', '2026-12-01T11:00', '2026-12-01T09:00'),
    'broadcast.end_at': set('broadcast', 'news', 'end_at', '2026-12-02T24:00', null, '2026-12-02T09:00'),
    'broadcast.time_zone': set('broadcast', 'news', 'time_zone', 'Tokyo', 'Amsterdam'),
    'broadcast.message': set('broadcast', 'news', 'message', 'Mail is slow', 'All is well'),
    'broadcast_translation.message': [
      async () => {
        const where = { path: ['locale'], op: 'in', values: ['en-US'] } as const
        const { house } = place
        const [own] = await house.queries.rows({}, { type: house.catalog.type('broadcast_translation'), where })
        return house.operations.save(await place.call('mia'), 'broadcast_translation', Number(own?.['id']), {
          message: 'Mail works',
        })
      },
    ],
    'account.locale': [() => account({ locale: 'nl' }), () => account({ locale: 'de' }), () => account({ locale: 'en-US' })],
    'contact.uri': set('contact', 'phone', 'uri', '0612345', '+31 6 1234 5678'),
    'contact.protocol': set('contact', 'phone', 'protocol', 'chat', 'telephone'),
    'recurrence.frequency': [
      together({ frequency: 'weekly', day: '2,4' }),
      together({ frequency: 'monthly', day: null }),
      together({ day_of_week: true, day_of_week_day: 'tuesday' }),
      // Its kind of day goes with the frequency.
      together({ frequency: 'weekly', day: '2' }),
      together({ frequency: 'monthly', day: null }),
    ],
    'recurrence.interval': recurrence('interval', 2, 1),
    'recurrence.start_date': recurrence('start_date', '2027-01-01', '2026-11-01'),
    'recurrence.end_date': recurrence('end_date', '2026-12-10', null),
    'recurrence.time_zone': recurrence('time_zone', 'Tokyo', 'Amsterdam'),
    'recurrence.time_of_day': recurrence('time_of_day', '10:30', '09:00'),
    'recurrence.disabled': recurrence('disabled', true, false),
    'recurrence.day_of_month': recurrence('day_of_month', '20,-1', '15'),
    'recurrence.day': [
      together({ frequency: 'daily', day: '1,3' }),
      together({ day: '5' }),
      together({ frequency: 'monthly', day: null }),
    ],
    'recurrence.day_of_week': [together({ day_of_week: true, day_of_week_day: 'tuesday' })],
    'recurrence.day_of_week_index': recurrence('day_of_week_index', 'last', 'second'),
    'recurrence.day_of_week_day': [
      ...recurrence('day_of_week_day', 'monday,friday'),
      // Its kind of day goes with the frequency.
      together({ frequency: 'weekly', day: '2' }),
      together({ frequency: 'monthly', day: null }),
    ],
    'recurrence.month_of_year': [
      together({ frequency: 'yearly', month_of_year: '3,9' }),
      ...recurrence('month_of_year', '4'),
      together({ frequency: 'monthly', month_of_year: null }),
    ],
    'change_template.disabled': set('change_template', 'each month', 'disabled', true, false),
    'product_category.group': set('product_category', 'machines', 'group', 'Hard ware', 'Things'),
    'product_category.name': set('product_category', 'machines', 'name', 'Big machines', 'machines'),
    'product_category.rule_set': [
      () => add('programs', 'product_category', { group: 'Things', name: 'Programs', rule_set: 'server' }),
      ...set('product_category', 'programs', 'rule_set', 'software', 'license_certificate', 'software_distribution_package'),
    ],
    'ci.product': [
      ...set('ci', 'license', 'product_id', at('notebook')),
      () => change('ci', 'license', { product_id: at('office suite'), license_type: 'cpu_license' }),
    ],
    'product.category': [
      ...set('product', 'office suite', 'category_id', at('machines'), at('licenses')),
      ...set('ci', 'license', 'license_type', 'named_user_license'),
    ],
    'ci_relation.ci': [
      () => add('relation', 'ci_relation', { related_ci_id: at('computer'), relation_type: 'parent' }, ['ci', 'license']),
      ...set('ci_relation', 'relation', 'related_ci_id', at('another license'), at('computer')),
    ],
    'ci_relation.relation_type': set('ci_relation', 'relation', 'relation_type', 'redundancy', 'parent'),
    'ci_relation.owner': [
      () => remove('ci_relation', 'relation', ['ci', 'license']),
      () => add('relation', 'ci_relation', { related_ci_id: at('computer'), relation_type: 'child' }, ['ci', 'license']),
      () => asSystem('ci', 'license', { remarks: 'x' }),
    ],
  }
}

function changesOfPlaces(place: Place): Record<string, readonly Step[]> {
  const { account } = place
  const set = settingIn(place)
  return {
    'account.time_zone': [() => account({ timeZone: 'Tokyo' }), () => account({ timeZone: 'Amsterdam' })],
    'team.time_zone': set('team', 'zoned', 'time_zone', 'Tokyo', 'London'),
    'team.work_hours': set('team', 'zoned', 'work_hours_id', place.at('others'), place.at('hours')),
  }
}

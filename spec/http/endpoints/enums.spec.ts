import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import { de } from '../../../plugin/words/de.js'
import { en } from '../../../plugin/words/en.js'
import { fr } from '../../../plugin/words/fr.js'
import { nl } from '../../../plugin/words/nl.js'
import { SAME_VALUES } from '../../../plugin/words/values/en.js'
import { withMounted } from '../../support/mounted.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

async function get(path: string, headers: Record<string, string> = {}) {
  return serving(createApp(stubs().deps), ({ send }) => send(path, { headers }))
}

const STATUS = {
  'request.status': [
    { id: 'open', txt: 'en-US request.status open', code: 1 },
    { id: 'completed', txt: 'en-US request.status completed', code: 2 },
  ],
}

describe('http/endpoints/enums', () => {
  it('lists all enumerations without credentials', async () => {
    const { status, json } = await get('/v1/enums')
    expect(status).to.equal(200)
    expect(json).to.include.all.keys('request.status', 'language', 'time_zone')
    expect(json).to.deep.include(STATUS)
    expect(json).to.deep.include({ time_zone: [{ id: 'UTC', txt: 'en-US time_zone UTC' }] })
  })

  it('speaks the language of the header or of the path', async () => {
    const fr = [{ id: 'UTC', txt: 'fr time_zone UTC' }]
    expect((await get('/v1/enums.json', { ...TOKEN, 'X-SVC-Language': 'fr' })).json).to.deep.include({ time_zone: fr })
    expect((await get('/v1/enums/fr')).json).to.deep.include({ time_zone: fr })
    expect((await get('/v1/enums/fr/time_zone')).json).to.deep.equal({ time_zone: fr })
    expect((await get('/v1/enums/xx')).status).to.equal(404)
    expect((await get('/v1/enums/xx/time_zone')).status).to.equal(404)
  })

  it('gives a single enumeration', async () => {
    expect((await get('/v1/enums/request.status')).json).to.deep.equal(STATUS)
    expect((await get('/v1/enums/request.status.json')).json).to.deep.equal(STATUS)
    expect((await get('/v1/enums/request.nothing')).status).to.equal(404)
    expect((await get('/v1/enums/constructor')).status).to.equal(404)
  })

  it('writes CSV and HTML', async () => {
    const csv = await get('/v1/enums/fr.csv')
    expect(csv.headers['content-type']).to.equal('text/csv; charset=utf-8')
    expect(csv.text).to.match(/^Enumeration,ID,Text\r\n/)
    expect(csv.text).to.include('request.status,open,fr request.status open\r\n')
    const html = await get('/v1/enums.html', { Accept: 'text/html' })
    expect(html.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(html.text).to.include('<td>open</td><td>en-US request.status open</td>')
  })

  it('are in the nearest language of a tag, and say which one that is', async () => {
    for (const tag of ['fr', 'FR', 'fr-BE', 'fr_FR']) {
      const { status, headers, text } = await get(`/v1/enums/${tag}/request.status`)
      expect([tag, status, headers['content-language']]).to.deep.equal([tag, 200, 'fr'])
      expect(text).to.include('fr request.status open')
      expect((await get(`/v1/enums/${tag}.csv`)).headers['content-language']).to.equal('fr')
    }
    expect((await get('/v1/enums')).headers['content-language']).to.equal('en-US')
    expect((await get('/v1/enums/ja')).status).to.equal(404)
  })

  it('quotes and escapes texts', async () => {
    const words = { sentence: () => '', fieldLabel: () => '', valueLabel: () => 'a "b", <c> & d', languageOf: () => 'en-US' }
    await serving(createApp(stubs({ words }).deps), async ({ send }) => {
      expect((await send('/v1/enums/time_zone.csv')).text).to.include('time_zone,UTC,"a ""b"", <c> & d"\r\n')
      expect((await send('/v1/enums/time_zone.html')).text).to.include('<td>a &quot;b&quot;, &lt;c&gt; &amp; d</td>')
    })
  })

  it('does not wrap what is no JSON in a callback', async () => {
    const { text } = await get('/v1/enums.csv?callback=show')
    expect(text).to.match(/^Enumeration/)
  })
})

const BROKEN_SERVICE = ['low', 'medium', 'high', 'top']
const CHANGE_STATUSES = ['registered', 'risk_and_impact', 'approval', 'implementation', 'progress_halted', 'completed']
const CHANGE_RESULTS = ['withdrawn', 'rejected', 'rolled_back', 'partial', 'complete']
const FREQUENCIES =
  'daily weekly once_every_2_weeks monthly once_every_2_months quarterly once_every_6_months yearly once_every_2_years no_commitment'
const JUSTIFICATIONS = 'compliance correction expansion improvement maintenance move removal replacement'

/**
 * Values by key, without later additions (behaviour: Enumeration values). Time zones, languages, countries and events are lists
 * of their own.
 */
const ENUMERATIONS: Readonly<Record<string, string | readonly string[]>> = {
  'address.label': 'home street mailing billing',
  'affected_sla.accountability': 'provider supplier sla_not_affected',
  'agreement.status': 'being_prepared scheduled_for_activation active expired',
  'broadcast.message_type': 'outage available warning info',
  'broadcast.visibility': 'all_of_account account_specialists members_of_teams covered_for_any covered_for',
  'change.category': 'standard non_standard emergency',
  'change.change_type': 'application_change infrastructure_change',
  'change.completion_reason': CHANGE_RESULTS,
  'change.impact': ['none', ...BROKEN_SERVICE],
  'change.justification': JUSTIFICATIONS,
  'change.status': CHANGE_STATUSES,
  'change_template.impact': ['none', ...BROKEN_SERVICE],
  'ci.ci_type': 'software_version software_license_certificate hardware',
  'ci.license_type':
    'concurrent_user_license cpu_license installed_user_license named_user_license unlimited_user_license other_type_of_license',
  'ci.status':
    'ordered being_built in_stock reserved in_transit installed being_tested standby_for_continuity lent_out in_production ' +
    'undergoing_maintenance broken_down being_repaired archived to_be_removed lost_or_stolen removed',
  'ci_relation.relation_type': 'parent child network_connection redundancy continuity software_dependency',
  'contact.label': 'general service_desk work mobile home personal fax service_desk_fax',
  'contact.protocol': 'telephone email website chat',
  'contract.category':
    'lease_contract maintenance_contract support_contract support_and_maintenance_contract other_type_of_contract',
  day_names: 'sunday monday tuesday wednesday thursday friday saturday',
  'knowledge_article.status': 'new internal public archived',
  'note.medium': 'default email system redacted automation',
  'permission.role':
    'account_owner account_administrator auditor specialist service_desk_analyst service_desk_manager problem_manager ' +
    'change_manager release_manager project_manager service_level_manager configuration_manager knowledge_manager key_contact ' +
    'financial_manager',
  'problem.category': 'reactive proactive',
  'problem.impact': ['none', ...BROKEN_SERVICE],
  'problem.status':
    'declined assigned accepted in_progress waiting_for analyzed change_requested change_pending project_pending progress_halted solved',
  'product.depreciation_method':
    'not_depreciated double_declining_balance reducing_balance straight_line sum_of_the_years_digits',
  'product_category.rule_set':
    'physical_asset logical_asset_with_financial_data logical_asset_without_financial_data server software ' +
    'software_distribution_package license_certificate',
  'project.completion_reason': 'withdrawn rejected abandoned partial complete',
  'project.justification': JUSTIFICATIONS,
  'project.status': 'registered in_progress progress_halted completed',
  'project_phase.status': 'registered in_progress completed',
  'project_task.category': 'activity approval milestone',
  'project_task.status': 'registered assigned accepted in_progress waiting_for failed rejected completed approved canceled',
  'project_task_template.category': 'activity approval milestone',
  'recurrence.day_of_week_index': 'first second third fourth last',
  'recurrence.frequency': 'no_repeat daily weekly monthly yearly',
  'release.completion_reason': CHANGE_RESULTS,
  'release.impact': ['none', ...BROKEN_SERVICE],
  'release.status': CHANGE_STATUSES,
  'request.category': 'incident rfc rfi complaint compliment other',
  'request.completion_reason': 'solved workaround gone duplicate withdrawn rejected conflict declined unsolvable',
  'request.grouping': 'none group grouped',
  'request.impact': BROKEN_SERVICE,
  'request.satisfaction': 'dissatisfied satisfied',
  'request.status':
    'declined assigned accepted in_progress waiting_for waiting_for_customer change_pending project_pending completed',
  'service_instance.status': 'being_prepared in_production discontinued',
  'service_offering.report_frequency': FREQUENCIES,
  'service_offering.review_frequency': FREQUENCIES,
  'service_offering.status': 'planned unpublished available temporarily_unavailable discontinued',
  'sla.coverage':
    'customer_account organizations_and_descendants organizations sites organizations_and_sites people ' +
    'cis_of_service_instance service_instances',
  'system_log.level': 'unknown fatal error warning information debug',
  'system_log.log_type': 'authentication import export job',
  'task.category': 'risk_and_impact approval implementation',
  'task.impact': ['none', ...BROKEN_SERVICE],
  'task.status': 'registered declined assigned accepted in_progress waiting_for failed rejected completed approved canceled',
  'task_template.category': 'risk_and_impact approval implementation',
  'task_template.impact': ['none', ...BROKEN_SERVICE],
  'time_allocation.customer_category': 'none selected any',
  'time_allocation.description_category': 'hidden optional required',
  'time_allocation.service_category': 'none selected any',
  'ui_extension.category':
    'request_template change_template task_template project project_task_template product product_category organization ' +
    'contract person site problem',
  weekday: 'mon tue wed thu fri sat sun',
}

/** Labels that are not the value in title case (behaviour: Enumeration values). */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'affected_sla.accountability': { sla_not_affected: 'SLA Not Affected' },
  'change.category': {
    standard: 'Standard - Approved Change Template Was Used',
    non_standard: 'Non-Standard - Approved Change Template Not Available',
    emergency: 'Emergency - Required for Incident Resolution',
  },
  'release.completion_reason': {
    withdrawn: 'Withdrawn - Withdrawn by Requester',
    rejected: 'Rejected - Rejected by Approver',
    rolled_back: 'Rolled Back - Original Environment Restored',
    partial: 'Partial - Not All Requirements Met',
    complete: 'Complete - All Requirements Met',
  },
  'task_template.impact': {
    none: 'None - Service Not Degraded',
    low: 'Low - Service Degraded for One User',
    medium: 'Medium - Service Down for One User',
    high: 'High - Service Degraded for Several Users',
    top: 'Top - Service Down for Several Users',
  },
  'change.status': { risk_and_impact: 'Risk & Impact' },
  'release.status': { risk_and_impact: 'Risk & Impact' },
  'task.category': { risk_and_impact: 'Risk & Impact' },
  'task_template.category': { risk_and_impact: 'Risk & Impact' },
  'ci.license_type': { cpu_license: 'CPU License', other_type_of_license: 'Other Type of License' },
  'ci.status': { lost_or_stolen: 'Lost or Stolen', to_be_removed: 'To Be Removed' },
  'problem.status': { waiting_for: 'Waiting for…' },
  'task.status': { waiting_for: 'Waiting for…' },
  'project_task.status': { waiting_for: 'Waiting for…' },
  'project.completion_reason': {
    abandoned: 'Abandoned - Not Implemented',
    partial: 'Partial - Not Entirely Implemented',
    complete: 'Complete - Fully Implemented',
  },
  'request.category': {
    incident: 'Incident - Request for Incident Resolution',
    rfc: 'RFC - Request for Change',
    rfi: 'RFI - Request for Information',
    complaint: 'Complaint - Request for Support Improvement',
    compliment: 'Compliment - Request for Bestowal of Praise',
    other: 'Other - Request is Out of Scope',
  },
  'request.completion_reason': {
    solved: 'Solved - Root Cause Analysis Not Required',
    workaround: 'Workaround - Root Cause Not Removed',
    gone: 'Gone - Unable to Reproduce',
    duplicate: 'Duplicate - Same as Another Request of Customer',
    withdrawn: 'Withdrawn - Withdrawn by Requester',
    rejected: 'Rejected - Rejected by Approver',
    conflict: 'Conflict - In Conflict with Internal Standard or Policy',
    declined: 'Declined - Declined by Service Provider',
    unsolvable: 'Unsolvable - Unable to Solve',
  },
  'request.status': {
    waiting_for: 'Waiting for…',
    waiting_for_customer: 'Waiting for Customer',
    change_pending: 'Change Pending',
  },
  'sla.coverage': { cis_of_service_instance: 'CIs of Service Instance' },
  'time_allocation.customer_category': { selected: 'One of the Following' },
  'time_allocation.service_category': { selected: 'One of the Following' },
}

/** Events by type (behaviour: Events). */
const EVENTS = Object.entries({
  request: 'create update note-added status-changed team-changed member-changed waiting-ended target-warning target-missed',
  problem: 'create update note-added status-changed manager-changed team-changed member-changed',
  release: 'create update note-added manager-changed',
  change: 'create update note-added status-changed manager-changed',
  task: 'create update note-added status-changed team-changed member-changed',
  project: 'create update note-added status-changed manager-changed',
  project_task: 'create update note-added status-changed',
  service: 'create update',
  service_instance: 'create update',
  service_offering: 'create update',
  sla: 'create update',
  flsa: 'create update',
  contract: 'create update',
  product: 'create update',
  ci: 'create update',
  organization: 'create update',
  team: 'create update',
  person: 'create update',
  knowledge_article: 'create update',
  time_entry: 'delete',
  webhook: 'disabled delete',
  import: 'completed',
}).flatMap(([noun, verbs]) => verbs.split(' ').map((verb) => `${noun}.${verb}`))

type Items = readonly { readonly id: string; readonly txt: string; readonly code?: number }[]

describe('the enumerations of the service', () => {
  const mounted = withMounted('bare')
  const enumerations = async (language = 'en-US') => {
    const answer = await mounted.ask(null, 'GET', `/enums/${language}`)
    expect(answer.status).to.equal(200)
    return answer.json as Readonly<Record<string, Items>>
  }
  const idsOf = (items: Items | undefined) => items?.map(({ id }) => id)
  /** Their labels are names: of the value itself, or those that Intl knows. */
  const NAMED = ['countries', 'language', 'time_zone', 'webhook.event']

  it('have the values of the specification, in its order', async () => {
    const found = await enumerations()
    const differences = Object.entries(ENUMERATIONS).filter(([key, values]) => {
      const wanted = typeof values === 'string' ? values.split(' ') : values
      return idsOf(found[key])?.join() !== wanted.join()
    })
    expect(differences.map(([key]) => [key, idsOf(found[key])])).to.deep.equal([])
  })

  it('have the labels of the specification', async () => {
    const found = await enumerations()
    for (const [key, labels] of Object.entries(LABELS)) {
      const texts = Object.fromEntries(found[key]?.map(({ id, txt }) => [id, txt]) ?? [])
      expect(texts, key).to.include(labels)
    }
  })

  it('are numbered in their order, apart from time zones', async () => {
    for (const [key, items] of Object.entries(await enumerations())) {
      const codes = items.map(({ code }) => code)
      expect(codes, key).to.deep.equal(items.map((_, index) => (key === 'time_zone' ? undefined : index + 1)))
    }
  })

  it('name events by their ids, those of 5.2 among them', async () => {
    const found = await enumerations('de')
    const events = found['webhook.event'] ?? []
    for (const { id, txt } of events) expect(txt).to.equal(id)
    expect(EVENTS.filter((event) => !idsOf(events)?.includes(event))).to.deep.equal([])
  })

  it('have a label of their own for every value, in each language that we ship', async () => {
    const found = await enumerations()
    for (const [language, table] of Object.entries({ en, nl, de, fr })) {
      const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = table.values
      const without = Object.entries(found).flatMap(([key, items]) => {
        const same = SAME_VALUES[key] ?? key
        const known = { ...labels[same], ...labels[key] }
        return NAMED.includes(same) ? [] : items.filter(({ id }) => known[id] === undefined).map(({ id }) => `${key} ${id}`)
      })
      expect(without, language).to.deep.equal([])
    }
  })
})

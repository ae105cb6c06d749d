import { expect } from 'chai'
import type { Timers } from '../../plugin/jobs/timers.js'
import { changesIn } from '../support/derived-changes.js'
import { fillPlace, minuteLater, placeIn } from '../support/derived-place.js'
import type { Step } from '../support/derived-steps.js'
import { COMPUTATIONS, comparedValues, ELSEWHERE } from '../support/expected-values.js'
import { withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'
import { keptPairs, nameOf, readOnlyFields, rulesWithoutKeeps } from '../support/kept-values.js'
import { seeded } from '../support/minute-by-minute.js'
import { worldReader } from '../support/stored-world.js'

const pairs = keptPairs()
const kept = new Set(pairs.map(({ value }) => value))
const inputs = new Set(pairs.map(({ input }) => input))

/** The types of all of them, and what times are counted by. */
const TYPES = [
  ...new Set([...[...kept, ...inputs].map((name) => name.slice(0, name.indexOf('.'))), 'calendar_hour', 'holiday']),
].filter((type) => type !== 'account')

/** ADR 0049. The steps of an input begin where those of the inputs before it have ended, so all of them run. */
describe('stored values that follow from others', function () {
  this.timeout(120_000)
  const house = withHouse({ file: true })
  const place = placeIn(house)
  let timers: Timers
  let changes: Readonly<Record<string, readonly Step[]>> = {}
  let read: ReturnType<typeof worldReader>
  let actual: Readonly<Record<string, unknown>> = {}
  /** Pairs whose input was changed and whose value followed. */
  const seen = new Set<string>()

  const columnOf = (value: string) => {
    const [type = '', field = ''] = value.split('.')
    return house.catalog.type(type).fields.get(field)?.column ?? field
  }
  /** Reads all values after a step, and after the timers, if it has made something due. */
  const settled = async () => {
    const world = await read()
    const isDue = Object.values(world.rows).some((rows) => rows.some(({ renew_at = null }) => renew_at !== null))
    const changed = await house.storage.knex('itsm_accounts').whereNotNull('value_change').first('id')
    if (!isDue && !changed) return comparedValues(world, columnOf)
    await timers.fireDue()
    return comparedValues(await read({ again: true }), columnOf)
  }
  const mustBeRight = async () => {
    const found = await settled()
    expect(staleIn(found)).to.deep.equal({})
    return found.actual
  }
  const notice = (input: string, was: typeof actual, is: typeof actual) => {
    const changed = Object.keys(is).filter((key) => key in was && JSON.stringify(was[key]) !== JSON.stringify(is[key]))
    const counts = new Map<string, number>()
    for (const key of changed) {
      const value = key.slice(0, key.indexOf(' '))
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    for (const pair of pairs) {
      // Values that follow are inputs of others, and change by themselves.
      const isChanged = pair.input === input || (kept.has(pair.input) && counts.has(pair.input))
      if (isChanged && (counts.get(pair.value) ?? 0) > (pair.value === pair.input ? 1 : 0)) seen.add(nameOf(pair))
    }
  }
  const take = async (input: string, step: Step) => {
    minuteLater(house)
    await step()
    const is = await mustBeRight()
    notice(input, actual, is)
    actual = is
  }

  before(async () => {
    house.clock.set('2026-11-18T09:01:00Z')
    timers = timersOf(house)
    await fillPlace(place)
    await timers.fireDue()
    changes = changesIn(place)
    read = worldReader(house, TYPES)
    actual = await mustBeRight()
  })

  it('have a computation each', () => {
    const computed = [...Object.keys(COMPUTATIONS), ...Object.keys(ELSEWHERE)]
    expect([...kept].filter((value) => !computed.includes(value))).to.deep.equal([])
    expect(computed.filter((value) => !kept.has(value))).to.deep.equal([])
  })

  it('are all read-only fields, but those that are known not to follow from others', () => {
    const unlisted = readOnlyFields().filter((field) => !kept.has(field) && !NO_VALUE.test(field))
    expect(unlisted.sort()).to.deep.equal(Object.keys(NOT_FOLLOWING).sort())
  })

  it('are kept by rules that say so, and other rules are known', () => {
    expect(rulesWithoutKeeps()).to.deep.equal(Object.keys(KEEPING_NOTHING).sort())
  })

  const names = Object.keys(changesIn({ ...place, at: () => 0 }))
  it('have inputs that are changed here', () => {
    expect([...inputs].filter((input) => !names.includes(input) && !kept.has(input))).to.deep.equal([])
    expect(names.filter((name) => !inputs.has(name))).to.deep.equal([])
  })

  for (const input of names)
    it(`follow ${input}`, async () => {
      for (const step of changes[input] ?? []) await take(input, step)
    })

  it('have only inputs with an effect', () => {
    expect(pairs.map(nameOf).filter((name) => !seen.has(name))).to.deep.equal([])
  })

  it('are right after any changes in any order', async () => {
    // Others are tried with SEED=2 and so on: what they find is told with its steps.
    const seed = Number(process.env['SEED'] ?? 1)
    const chance = seeded(seed)
    const steps = Object.entries(changes).flatMap(([input, some]) => some.map((step, n) => [`${input} ${n}`, step] as const))
    const taken: string[] = []
    for (let round = 0; round < 30; round += 1) {
      const [name, step] = steps[Math.floor(chance() * steps.length)] ?? []
      minuteLater(house)
      // Steps presume those before them: what is refused changes nothing.
      const outcome = await step?.().then(
        () => '',
        () => ' (refused)',
      )
      taken.push(`${name}${outcome}`)
      expect(staleIn(await settled()), `SEED=${seed} ${taken.join(', ')}`).to.deep.equal({})
    }
  })

  it('are compared as they are stored: what no statement has named has not changed', async () => {
    expect((await read({ again: true })).rows).to.deep.equal((await worldReader(house, TYPES)()).rows)
  })
})

/** The values that are not as they should be, as `[is, should be]`. */
function staleIn({ actual, expected }: ReturnType<typeof comparedValues>): object {
  const keys = Object.keys(expected).filter((key) => JSON.stringify(actual[key]) !== JSON.stringify(expected[key]))
  return Object.fromEntries(keys.map((key) => [key, [actual[key], expected[key]]]))
}

/** What all records have, and marks of timers. */
const NO_VALUE = /\.(id|created_at|updated_at|renew_at|owner)$|^(audit_line|attachment)\./

const ONCE = 'given once'
const BY_NOBODY = 'nothing sets it yet'
const BY_IMPORT = 'says whether an import was the last to set the address'
/** Read-only fields that follow from nothing that is stored, with the reason. */
const NOT_FOLLOWING: Readonly<Record<string, string>> = {
  'address.integration': BY_IMPORT,
  'contact.integration': BY_IMPORT,
  'site.integration': BY_IMPORT,
  'change_template.impact': BY_NOBODY,
  'organization.ui_extension': BY_NOBODY,
  'person.ui_extension': BY_NOBODY,
  'project.ui_extension': BY_NOBODY,
  'request.resolution_events': 'counted by timers (ADR 61)',
  'request.response_events': 'counted by timers (ADR 61)',
  'site.ui_extension': BY_NOBODY,
  'project_template.times_applied': BY_NOBODY,
  'ui_extension.phrases': BY_NOBODY,
  'knowledge_article.author': ONCE,
  'note.medium': ONCE,
  'note.person': ONCE,
  'project_category.reference': ONCE,
  'project_risk_level.reference': ONCE,
  'request.note_digest': ONCE,
  'request.past_sourceID': ONCE,
  'request.organization': ONCE,
  'time_entry.organization': ONCE,
  'time_entry.problem': ONCE,
  'time_entry.project_task': ONCE,
  'time_entry.request': ONCE,
  'time_entry.task': ONCE,
  'recurrence.last_occurrence_at': 'tells what has happened',
  'recurrence.last_occurrence_errors': 'tells what has happened',
  'recurrence.last_occurrence_object': 'tells what has happened',
  'request.assignment_count_': 'counts what has happened',
  'request.completed_with_group': 'remembers why the request was completed',
  'request.previous_team': 'remembers the team before',
  'request.satisfaction': 'said by the requester',
  'ui_extension.active_version': 'moved by hand',
  'ui_extension.prepared_version': 'moved by hand',
  'ui_extension.updated_by': 'names who has made the last change',
  'webhook.last_error': 'tells what has happened',
  'webhook.previous_secret': 'remembers the secret before',
  'webhook.previous_secret_until': 'set by a rotation',
  'webhook.signed': 'says that there is a secret, which nothing else changes',
}

const TEMPLATE = 'copies from a template once'
const DEFAULT = 'fills in what the caller omits'
const PEOPLE = 'chooses people and teams when something happens; they may be changed afterwards'
const MOVE = 'moves a status when something happens, as its moves tell (ADR 31)'
const NOTES = 'adds notes, entries or mails'
/** Rules that set values or save other records, and keep none of them: why. */
const KEEPING_NOTHING: Readonly<Record<string, string>> = {
  afterNoteOfTemplate: TEMPLATE,
  allocationOfTimeEntry: 'clears what the time allocation of that day does not use',
  answeredBy: MOVE,
  answers: MOVE,
  approvedByPeopleOf: TEMPLATE,
  asksAgain: MOVE,
  assignedToPeopleOf: TEMPLATE,
  cancelsOpen: MOVE,
  changedBy: 'names who has made the last change',
  clearWhen: 'forgets an error',
  completedByReason: MOVE,
  copyOnCreate: ONCE,
  countChanges: 'counts what has happened',
  customerOfWork: ONCE,
  decidedBy: 'refuses',
  decidedByApprovers: MOVE,
  declinedGoesTo: PEOPLE,
  defaultsOfPerson: DEFAULT,
  defaultsOfProject: DEFAULT,
  fallBackTo: DEFAULT,
  fillFrom: DEFAULT,
  fillWithCaller: DEFAULT,
  fillWithCallerWhen: PEOPLE,
  fillWithHolder: DEFAULT,
  fillWithLocale: DEFAULT,
  fillWithNow: DEFAULT,
  fillWithPosition: DEFAULT,
  fillWithTeamOf: DEFAULT,
  fillWithTimeZone: DEFAULT,
  firstOfEvents: DEFAULT,
  fixedWithTask: 'refuses',
  generatedLabel: DEFAULT,
  goesToManager: PEOPLE,
  goesToPeopleOf: TEMPLATE,
  keepsFirstNote: ONCE,
  keepsSecret: 'follows the secret of the same save',
  knownToTasks: PEOPLE,
  linkedByTemplate: TEMPLATE,
  memberOfTemplate: TEMPLATE,
  nameOfProduct: DEFAULT,
  notesCopiedTo: NOTES,
  notesPassedOn: NOTES,
  occurs: 'starts a change',
  passedOn: 'passes on changes of a group; a request may differ from it (spec/records/request-groups.spec.ts)',
  pendingWith: MOVE,
  personOfTimeEntry: ONCE,
  productName: DEFAULT,
  recursWhileEnabled: 'saves the recurrence, whose own rule keeps its values',
  referenceOf: ONCE,
  remembersTeam: 'remembers the team before',
  renews: 'makes records due, whose own rules keep their values',
  renewsAbove: 'makes records due, whose own rules keep their values',
  requestTeam: DEFAULT,
  resetWith: MOVE,
  serialNumberOfBrand: 'refuses',
  serviceInstanceOf: DEFAULT,
  setByImport: BY_IMPORT,
  startsChange: 'starts a change',
  supplierOf: 'follows a service instance when it is chosen; it may be changed afterwards',
  tasksOfTemplate: TEMPLATE,
  tells: NOTES,
  templateApplied: TEMPLATE,
  textsOfTemplate: TEMPLATE,
  timeSpent: NOTES,
  workedOn: PEOPLE,
}

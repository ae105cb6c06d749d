/** Files whose rows are sub-records, with the contact details of people and organizations. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createImports, type Imports } from '../../../plugin/imports/imports.js'
import type { Results } from '../../../plugin/imports/progress/results.js'
import { parts } from '../../../plugin/schema/kinds/fields.js'
import type { Definition } from '../../../plugin/schema/language/define-record.js'
import { createLeases } from '../../../plugin/storage/queues/leases.js'
import { countStatements, type StatementCounter } from '../../support/count-statements.js'
import { createFestival, festival } from '../../support/festival.js'
import { refusalOf, withHouse } from '../../support/house.js'
import { settingsWith, silent } from '../../support/settings.js'

const HEADER =
  'Person,Contact Protocol,Contact Label,Contact URI,Address Label,Address Address,Address City,Address Country,Integration'

interface Ended {
  readonly state: string
  readonly message?: string
  readonly results: Results
  readonly log: readonly string[]
}

/** The stages of the festival, with files of their slots and of what is near them. */
const records = festival.map((definition): Definition => {
  if (definition.name !== 'stage') return definition
  return {
    ...definition,
    fields: { ...definition.fields, relations: parts('stage_relation', { readOnly: true }) },
    partImports: [
      {
        type: 'stages_plans',
        order: 99,
        owner: { header: 'Stage', field: 'name' },
        parts: {
          slots: {
            columns: [
              { header: 'Slot', field: 'label' },
              { header: 'Minutes', field: 'minutes' },
            ],
            key: ['label'],
          },
          relations: {
            columns: [
              { header: 'Relation', field: 'kind' },
              { header: 'Related Stage', field: 'stage' },
            ],
            key: ['stage'],
          },
        },
        ignored: ['Weather'],
      },
    ],
  }
})

describe('importing sub-records', () => {
  let vetoed: number | null = null
  const house = withHouse({
    records,
    migrations: [createFestival],
    before: {
      'person.save': [
        ({ before, fail }) => {
          if (before && before['id'] === vetoed) fail('base', 'The host says no')
        },
      ],
    },
  })
  let admin = 0
  let imports: Imports
  let counter: StatementCounter
  let stopAt: ((contact: unknown) => void) | null = null
  let [ann, bob] = [0, 0]
  let number = 0

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    counter = countStatements(house.storage.knex)
    const { baseUrl, secret, takeOverAfterMs, words } = settingsWith()
    imports = createImports({
      storage: house.storage,
      leases: createLeases({ storage: house.storage, clock: house.clock, log: silent, randomId: randomUUID }),
      catalog: house.catalog,
      access: house.access,
      permissions: house.permissions,
      operations: {
        ...house.operations,
        saveAll: async (call, type, items) => {
          if (type === 'contact') for (const { body } of items) stopAt?.((body as { uri?: unknown }).uri)
          return house.operations.saveAll(call, type, items)
        },
      },
      queries: house.queries,
      clock: house.clock,
      log: silent,
      wakeMails: () => {},
      keepDays: 90,
      ...{ words, secret, baseUrl, takeOverAfterMs },
      wakeDispatch: () => {},
      wake() {},
    })
  })

  beforeEach(async () => {
    vetoed = null
    stopAt = null
    number += 1
    ann = await house.addPerson('Ann', [], { primary_email: `ann${number}@acme.example` })
    bob = await house.addPerson('Bob', [], { primary_email: `bob${number}@acme.example` })
  })

  describe('with details that files replace', () => {
    it('adds contacts, addresses and rows that have both', async () => {
      const { results } = await imported([
        'ANN@,telephone,work,+1 1,,,,,true',
        'ann@,email,personal,ann@home.example,home,Main Street 1,Houston,US,1',
        'bob@,,,,mailing,"PO Box 9\nRoom 2",,,0',
      ])
      expect(results).to.deep.equal(counts({ created: 3 }))
      expect(await details(ann)).to.deep.equal([
        'telephone work +1 1 integration',
        'email personal ann@home.example integration',
        'home Main Street 1, Houston, US integration',
      ])
      expect(await details(bob)).to.deep.equal(['mailing PO Box 9\nRoom 2'])
    })

    it('keeps what is the same, changes what has the same label, and removes what is not in the file', async () => {
      await imported([
        'ann@,telephone,work,+1 1,,,,,1',
        'ann@,telephone,mobile,+1 2,,,,,1',
        'ann@,email,work,a@x.example,home,Old Street,,,1',
      ])
      const before = await idsOf('contacts', ann)
      const { results } = await imported(['ann@,telephone,mobile,+1 3,,,,,1', 'ann@,telephone,work,+1 1,,,,,1'])
      // The row with the e-mail had an address as well.
      expect(results).to.deep.equal(counts({ updated: 1, unchanged: 1, deleted: 2 }))
      expect(await details(ann)).to.deep.equal(['telephone work +1 1 integration', 'telephone mobile +1 3 integration'])
      expect(await idsOf('contacts', ann)).to.deep.equal(before.slice(0, 2))
    })

    it('leaves manual details alone, and those of people without such a row', async () => {
      await house.add('contact', { label: 'home', telephone: '+1 9' }, { owner: { type: 'person', id: ann } })
      await imported(['ann@,telephone,work,+1 1,,,,,1', 'bob@,telephone,work,+1 5,,,,,1'])
      const { results } = await imported(['ann@,telephone,work,+1 2,,,,,1'])
      expect(results).to.deep.equal(counts({ updated: 1 }))
      expect(await details(ann)).to.deep.equal(['telephone home +1 9', 'telephone work +1 2 integration'])
      expect(await details(bob)).to.deep.equal(['telephone work +1 5 integration'])
    })

    it('adds and updates manual details, and removes none of them', async () => {
      await house.add('contact', { label: 'home', telephone: '+1 9' }, { owner: { type: 'person', id: ann } })
      await imported(['ann@,telephone,work,+1 1,,,,,1'])
      const { results } = await imported(['ann@,telephone,home,+1 8,,,,,0', 'ann@,telephone,work,+1 7,,,,,'])
      expect(results).to.deep.equal(counts({ created: 1, updated: 1 }))
      expect(await details(ann)).to.deep.equal([
        'telephone home +1 8',
        'telephone work +1 1 integration',
        'telephone work +1 7',
      ])
    })

    it('takes over a manual detail that is the same, instead of adding it twice', async () => {
      await house.add('contact', { label: 'work', telephone: '+1 1' }, { owner: { type: 'person', id: ann } })
      const { results } = await imported(['ann@,telephone,work,+1 1,,,,,1'])
      expect(results).to.deep.equal(counts({ updated: 1 }))
      expect(await details(ann)).to.deep.equal(['telephone work +1 1 integration'])
    })

    it('takes a row that comes twice once', async () => {
      const { results } = await imported([
        'ann@,telephone,work,+1 1,,,,,1',
        'ann@,telephone,work,+1 1,,,,,1',
        'ann@,telephone,work,+1 2,,,,,1',
      ])
      expect(results).to.deep.equal(counts({ created: 2, unchanged: 1 }))
      expect(await details(ann)).to.deep.equal(['telephone work +1 1 integration', 'telephone work +1 2 integration'])
    })

    it('touches only the kinds that the file has columns for', async () => {
      await imported(['ann@,telephone,work,+1 1,home,Main Street,Houston,US,1'])
      const header = 'Person,Address Label,Address City,Integration'
      const { results } = await imported(['ann@,home,Dallas,1'], { header })
      expect(results).to.deep.equal(counts({ updated: 1 }))
      // A column that is left out keeps its field.
      expect(await details(ann)).to.deep.equal(['telephone work +1 1 integration', 'home Main Street, Dallas, US integration'])
      await imported(['ann@,,,,home,,Dallas,US,1'])
      expect(await details(ann)).to.deep.equal(['home Dallas, US integration'])
    })

    it('finds nothing to do the second time', async () => {
      const rows = ['ann@,telephone,work,+1 1,home,"Main Street 1\nHouston",Houston,US,1', 'ann@,email,WORK,x@x.example,,,,,0']
      await imported([rows[0] ?? '', 'ann@,email,work,x@x.example,,,,,0'])
      const [lines, events] = [(await house.table('audit_lines')).length, (await eventsOfRecords()).length]
      const { results } = await imported([rows[0] ?? '', 'ann@,email,work,x@x.example,,,,,0'])
      expect(results).to.deep.equal(counts({ unchanged: 2 }))
      expect([(await house.table('audit_lines')).length, (await eventsOfRecords()).length]).to.deep.equal([lines, events])
    })

    it('cannot be changed or removed through the interface', async () => {
      await imported(['ann@,telephone,work,+1 1,home,Main Street,,,1'])
      const call = await house.by(admin)
      const owner = { type: 'person', id: ann }
      for (const [type, table] of [
        ['contact', 'contacts'],
        ['address', 'addresses'],
      ] as const) {
        const [id = 0] = await idsOf(table, ann)
        const locked = [['base', 'integration_locked']]
        expect(await refusalOf(house.operations.save(call, type, id, { label: 'home' }, owner))).to.deep.equal(locked)
        expect(await refusalOf(house.operations.remove(call, type, id, owner))).to.deep.equal(locked)
        expect(await refusalOf(house.operations.removeAll(call, type, owner))).to.deep.equal(locked)
        const change = { [`${table}_attributes`]: [{ id, _destroy: true }] }
        expect((await refusalOf(house.operations.save(call, 'person', ann, change)))[0]?.[1]).to.equal('integration_locked')
      }
      await house.operations.save(call, 'contact', null, { label: 'home', telephone: '+1 2', integration: true }, owner)
      expect(await details(ann)).to.include('telephone home +1 2')
    })
  })

  describe('of organizations', () => {
    it('finds them by name, by ID, and by Source and Source ID', async () => {
      const id = await house.add('organization', { name: `Org ${number}`, source: 'sap', sourceID: `O-${number}` })
      const header = 'ID,Source,Source ID,Organization,Contact Protocol,Contact Label,Contact URI,Integration'
      const { results } = await imported(
        [
          `,,,org ${number},telephone,general,+1 1,1`,
          `${id},,,,telephone,service_desk,+1 2,1`,
          `,sap,O-${number},,website,general,https://org.example,1`,
        ],
        { header, type: 'organizations_contact_details' },
      )
      expect(results).to.deep.equal(counts({ created: 3 }))
      expect((await details(id, 'organization')).length).to.equal(3)
    })

    it('refuses labels of people', async () => {
      await house.add('organization', { name: `Org ${number}` })
      const header = 'Organization,Address Label,Address City'
      const { log } = await imported([`Org ${number},home,Delft`], { header, type: 'organizations_contact_details' })
      expect(log).to.deep.equal([
        `ERROR line 2: organization "Org ${number}": Label is not included in the list (Address Label "home")`,
      ])
    })
  })

  describe('with rows that are refused', () => {
    it('names the person, the reason and the value, and saves the others', async () => {
      const { log, results } = await imported([
        'nobody@,telephone,work,+1 1,,,,,1',
        'ann@,fax,work,+1 1,,,,,1',
        'ann@,telephone,work,,street,,,,1',
        'ann@,,,,,,,,1',
        ',telephone,work,+1 1,,,,,1',
        'ann@,telephone,mobile,+1 2,,,,,1,surplus',
        'ann@,telephone,work,+1 3,,,,,1',
      ])
      expect(results).to.deep.equal(counts({ created: 1, failures: 6 }))
      expect(log).to.deep.equal([
        `ERROR line 2: person "nobody${number}@acme.example": Person "nobody${number}@acme.example" could not be found`,
        `ERROR line 3: person "ann${number}@acme.example": Protocol is not included in the list (Contact Protocol "fax")`,
        `ERROR line 4: person "ann${number}@acme.example": Telephone can't be blank`,
        `ERROR line 5: person "ann${number}@acme.example": The row has no values except Person`,
        "ERROR line 6: Person can't be blank",
        `ERROR line 7: person "ann${number}@acme.example": Row has more cells than column headers`,
      ])
    })

    it('leaves nothing of such a row, neither its contact nor its address', async () => {
      const { log, results } = await imported([
        'ann@,telephone,work,+1 1,street,Main Street,,,1',
        'bob@,telephone,work,+1 1,home,Main Street,,,1',
      ])
      expect(results).to.deep.equal(counts({ created: 1, failures: 1 }))
      expect(log).to.deep.equal([
        `ERROR line 2: person "ann${number}@acme.example": Label is not included in the list (Address Label "street")`,
      ])
      expect(await details(ann)).to.deep.equal([])
      expect((await details(bob)).length).to.equal(2)
    })

    it('removes no detail of a person of whom a row was refused, misspelt or unreadable', async () => {
      for (const wrong of [
        'ann@,fax,work,+1 9,,,,,1',
        'an@,telephone,mobile,+1 2,,,,,1',
        '"ann@"x,telephone,mobile,+1 2,,,,,1',
      ]) {
        await imported(['ann@,telephone,work,+1 1,,,,,1', 'ann@,telephone,mobile,+1 2,,,,,1', 'bob@,telephone,work,+1 5,,,,,1'])
        const { results } = await imported([
          'ann@,telephone,work,+1 1,,,,,1',
          wrong,
          'ann@,telephone,home,+1 3,,,,,1',
          'bob@,email,work,b@x.example,,,,,1',
        ])
        expect(results, wrong).to.deep.equal(counts({ created: 2, unchanged: 1, deleted: 1, failures: 1 }))
        expect(await details(ann), wrong).to.deep.equal([
          'telephone work +1 1 integration',
          'telephone mobile +1 2 integration',
          'telephone home +1 3 integration',
        ])
        await imported(['ann@,telephone,work,+1 1,,,,,1'])
      }
    })

    it('refuses rows of a person that do not follow the others', async () => {
      const { log, results } = await imported([
        'ann@,telephone,work,+1 1,,,,,1',
        'bob@,telephone,work,+1 1,,,,,1',
        'ann@,telephone,mobile,+1 2,,,,,1',
      ])
      expect(results).to.deep.equal(counts({ created: 2, failures: 1 }))
      expect(log).to.deep.equal([
        `ERROR line 4: person "ann${number}@acme.example": All rows of one record must follow each other; earlier rows of this record have already been processed`,
      ])
      expect(await details(ann)).to.deep.equal(['telephone work +1 1 integration'])
    })

    it('refuses an ID and a name of two different people', async () => {
      const { log } = await imported([`${bob},ann@,telephone,work,+1 1`, `999999,,telephone,work,+1 1`], {
        header: 'ID,Person,Contact Protocol,Contact Label,Contact URI',
      })
      expect(log).to.deep.equal([
        `ERROR line 2: person ID ${bob}: Person "ann${number}@acme.example" is not the record with this ID`,
        'ERROR line 3: person ID 999999: ID "999999" could not be found',
      ])
    })

    it('refuses all rows of a person whose own rules or hooks refuse the change', async () => {
      vetoed = ann
      const { log, results } = await imported([
        'ann@,telephone,work,+1 1,,,,,1',
        'ann@,telephone,home,+1 2,,,,,1',
        'bob@,telephone,work,+1 1,,,,,1',
      ])
      expect(results).to.deep.equal(counts({ created: 1, failures: 2 }))
      expect(log[1]).to.equal(`ERROR line 3: person "ann${number}@acme.example": The host says no`)
      expect(await details(ann)).to.deep.equal([])
    })

    it('ends at the thousandth of them', async function () {
      this.timeout(60_000)
      for (const row of ['nobody@,telephone,work,+1 1,,,,,1', '"ann@"x,telephone,work,+1 1,,,,,1']) {
        const { message, results } = await imported(Array(1500).fill(row))
        expect(message, row).to.equal('Too many import failures')
        expect(results, row).to.deep.equal(counts({ failures: 1000 }))
      }
      const { message, results } = await imported([
        'ann@,telephone,work,+1 1,,,,,1',
        ...Array(1500).fill('an@,telephone,work,+1 1,,,,,1'),
      ])
      expect([message, results]).to.deep.equal(['Too many import failures', counts({ created: 1, failures: 1000 })])
    })

    it('ends with an error when no column names the person, or none has a value, or one person has too many rows', async () => {
      const message = async (header: string, rows: string[] = ['x']) => (await imported(rows, { header })).message
      expect(await message('Contact Protocol,Contact Label,Contact URI')).to.equal('The file must have a column Person or ID')
      expect(await message('Person,Integration')).to.equal(
        'There is no column with values, such as "Contact Protocol" or "Address Label"',
      )
      expect(await message('Name,Shoe')).to.match(/^None of the column headers is known: line 1 begins with "Name,Shoe"/)
      const many = Array.from({ length: 501 }, (_, index) => `ann@,telephone,work,+2 ${index},,,,,1`)
      expect(await message(HEADER, many)).to.equal('More than 500 rows of one record from line 2 on')
    })
  })

  describe('of types of the host', () => {
    const header = 'Stage,Slot,Minutes,Relation,Related Stage,Weather'
    const type = 'stages_plans'

    it('adds and updates without removing anything, and finds the records that rows refer to', async () => {
      const [main] = [
        await house.add('stage', { name: `Main ${number}` }),
        await house.add('stage', { name: `Lake ${number}` }),
      ]
      const first = await imported([`main ${number},noon,60,,,rain`, `main ${number},night,90,near,LAKE ${number},`], {
        header,
        type,
      })
      expect([first.results, first.log]).to.deep.equal([counts({ created: 2 }), []])
      const second = await imported([`Main ${number},noon,45,,,`, `Main ${number},night,90,left_of,Lake ${number},`], {
        header,
        type,
      })
      expect(second.results).to.deep.equal(counts({ updated: 2 }))
      const of = async (table: string) =>
        house.storage.knex(`itsm_${table}`).where({ owner_type: 'stage', owner_id: main }).orderBy('id')
      expect((await of('slots')).map((row) => `${row.label} ${row.minutes}`)).to.deep.equal(['noon 45', 'night 90'])
      expect((await of('stage_relations')).map((row) => row.kind)).to.deep.equal(['left_of'])
    })

    it('refuses rows that refer to what is not there', async () => {
      await house.add('stage', { name: `Main ${number}` })
      const { log } = await imported([`Main ${number},noon,60,near,Nowhere,`, `Main ${number},noon,zero,,,`], { header, type })
      expect(log).to.deep.equal([
        `ERROR line 2: stage "Main ${number}": Related Stage "Nowhere" could not be found`,
        `ERROR line 3: stage "Main ${number}": Minutes is not a number (Minutes "zero")`,
      ])
      expect(await house.table('slots').then((rows) => rows.filter((row) => row['minutes'] === 60))).to.deep.equal([])
    })
  })

  describe('as part of the desk', () => {
    it('leaves one audit line and one event of the person for all rows, and changes updated_at', async () => {
      await imported(['ann@,telephone,work,+1 1,,,,,1'])
      const [lines, events] = [(await house.table('audit_lines')).length, (await eventsOfRecords()).length]
      house.clock.pass(60_000)
      await imported(['ann@,telephone,work,+1 2,home,Main Street,,,1', 'ann@,telephone,home,+1 3,,,,,0'])
      const added = (await house.table('audit_lines')).slice(lines)
      expect(
        added.map((line) => [line['owner_type'], Number(line['owner_id']), line['action'], Number(line['created_by_id'])]),
      ).to.deep.equal([['person', ann, 'update', admin]])
      const { contacts, addresses } = JSON.parse(String(added[0]?.['changes']))
      expect(contacts.map((all: object[]) => all.length)).to.deep.equal([1, 2])
      expect(contacts[1][0]).to.deep.equal({ label: 'work', uri: '+1 2', integration: true })
      expect(addresses.map((all: object[]) => all.length)).to.deep.equal([0, 1])
      expect((await eventsOfRecords()).slice(events).map((event) => event['event'])).to.deep.equal(['person.update'])
      expect(await house.row('person', ann)).to.include({ updated_at: house.clock.now().toISOString().replace('.000', '') })
    })

    it('costs as many statements for 300 people as for 3', async function () {
      this.timeout(60_000)
      const add = async (from: number, count: number) => {
        const emails = Array.from({ length: count }, (_, index) => `p${number}-${from + index}@acme.example`)
        for (const email of emails) await house.add('person', { name: 'P', primary_email: email })
        return emails.flatMap((email, index) => [`${email},telephone,work,+1 ${index},home,Street,,,1`])
      }
      const [few, many] = [await add(0, 3), await add(100, 300)]
      const cost = async (rows: string[]) => counter.during(() => imported(rows))
      const [first, later] = [await cost(few), await cost(many)]
      // Pieces of statements with many rows may differ, never one for each row.
      expect(later - first).to.be.below(30)
    })
  })

  describe('after a crash', () => {
    const people = 700
    const mailOf = (index: number) => `crash${number}-${index}@acme.example`
    /** Two rows a person: no chunk of 500 rows ends between the two. */
    const rowsOf = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => [
        `${mailOf(from + i)},telephone,work,+1 ${i},,,,,1`,
        `${mailOf(from + i)},telephone,home,+2 ${i},,,,,1`,
      ]).flat()
    const gone = Object.assign(new Error('gone'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true })

    it('goes on with whole people, and neither repeats nor loses a row', async function () {
      this.timeout(120_000)
      const call = await house.system()
      await house.operations.saveAll(
        call,
        'person',
        Array.from({ length: people }, (_, index) => ({ id: null, body: { name: 'C', primary_email: mailOf(index) } })),
      )
      // An odd row in front, so that chunks would end in the middle of a person.
      const rows = ['ann@,telephone,work,+1 1,,,,,1', ...rowsOf(0, people), `${mailOf(0)},telephone,mobile,+3,,,,,1`]
      const { token, id } = await submit(rows)
      let kills = 0
      for (const uri of ['+1 300', '+2 500', '+1 650']) {
        stopAt = (given) => {
          if (given === uri) throw gone
        }
        kills += await imports.run(id).then(
          () => 0,
          () => 1,
        )
        const { line } = await house.storage.knex('itsm_imports').where({ id }).first('line')
        // Saved up to the second row of somebody: an even number of rows behind Ann's on line 2.
        expect(Number(line) % 2, `line ${line}`).to.equal(0)
      }
      stopAt = null
      expect(kills).to.equal(3)
      expect(await imports.run(id)).to.equal(true)
      const { log, results } = await ended(token)
      expect(results).to.deep.equal(counts({ created: 1 + 2 * people, failures: 1 }))
      // Who came in an earlier run is remembered.
      expect(log[0]).to.include('All rows of one record must follow each other')
      const [{ number: stored }] = (await house.storage
        .knex('itsm_contacts')
        .whereIn('owner_id', house.storage.knex('itsm_people').where('primary_email', 'like', `crash${number}-%`).select('id'))
        .count({ number: '*' })) as [{ number: number }]
      expect(Number(stored)).to.equal(2 * people)
    })

    it('remembers that the row before could not be read, and may be one of the next person', async function () {
      this.timeout(60_000)
      await imported(['bob@,telephone,work,+1 5,,,,,1', 'bob@,telephone,mobile,+1 6,,,,,1'])
      const first = Array.from({ length: 499 }, (_, index) => `ann@,telephone,work,+2 ${index},,,,,1`)
      const { token, id } = await submit([...first, '"bob@"x,telephone,mobile,+1 6,,,,,1', 'bob@,telephone,work,+1 7,,,,,1'])
      stopAt = (given) => {
        if (given === '+1 7') throw gone
      }
      expect(await imports.run(id).catch(() => 'stopped')).to.equal('stopped')
      expect(await house.storage.knex('itsm_imports').where({ id }).first('line')).to.deep.equal({ line: 501 })
      stopAt = null
      expect(await imports.run(id)).to.equal(true)
      expect((await ended(token)).results).to.deep.equal(counts({ created: 499, updated: 1, failures: 1 }))
      expect(await details(bob)).to.deep.equal(['telephone work +1 7 integration', 'telephone mobile +1 6 integration'])
    })
  })

  /** `ann@` stands for the address of Ann in this spec. */
  function textOf(rows: readonly string[], header: string): string {
    const named = rows.map((row) =>
      row.replace(
        /^([^,]*,)?("?)(ann|bob|an|nobody)@(?=,|")/i,
        (_, id = '', quote, name) => `${id}${quote}${name}${number}@acme.example`,
      ),
    )
    return [header, ...named].join('\n')
  }

  async function submit(rows: readonly string[], { header = HEADER, type = 'people_contact_details' } = {}) {
    const content = (async function* () {
      yield Buffer.from(textOf(rows, header))
    })()
    const { token } = await imports.submit(await house.by(admin), { type, fileName: 'details.csv', content })
    const { id } = await house.storage.knex('itsm_imports').where({ token }).first('id')
    return { token, id: Number(id) }
  }

  async function imported(rows: readonly string[], options: { header?: string; type?: string } = {}): Promise<Ended> {
    const { token, id } = await submit(rows, options)
    expect(await imports.run(id)).to.equal(true)
    return ended(token)
  }

  async function ended(token: string): Promise<Ended> {
    const progress = (await imports.progress(await house.by(admin), token)) as Ended & { logfile: string }
    const url = new URL(progress.logfile)
    const query = { expires: url.searchParams.get('expires') ?? '', signature: url.searchParams.get('signature') ?? '' }
    let log = ''
    for await (const text of await imports.log(url.pathname.replace('/v1/imports/', ''), query)) log += text
    const lines = log
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^\S+ /, ''))
    return { ...progress, log: lines.filter((line) => !line.startsWith('INFORMATION')) }
  }

  /** Contacts and addresses in the order in which they were made. */
  /** The events, without those of the imports themselves. */
  async function eventsOfRecords() {
    return (await house.table('outbox')).filter((event) => event['record_type'] !== 'import')
  }

  async function details(ownerId: number, ownerType = 'person'): Promise<string[]> {
    const of = async (table: string) =>
      house.storage.knex(`itsm_${table}`).where({ owner_type: ownerType, owner_id: ownerId }).orderBy('id')
    const flag = (row: { integration: unknown }) => (Number(row.integration) ? ' integration' : '')
    const contacts = (await of('contacts')).map((row) => `${row.protocol} ${row.label} ${row.uri}${flag(row)}`)
    const addresses = (await of('addresses')).map(
      (row) => `${row.label} ${[row.address, row.city, row.country].filter(Boolean).join(', ')}${flag(row)}`,
    )
    return [...contacts, ...addresses]
  }

  async function idsOf(table: string, ownerId: number): Promise<number[]> {
    const ids = await house.storage
      .knex(`itsm_${table}`)
      .where({ owner_type: 'person', owner_id: ownerId })
      .orderBy('id')
      .pluck('id')
    return ids.map(Number)
  }
})

function counts(some: Partial<Results>): Results {
  return { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0, ...some }
}

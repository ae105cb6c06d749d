/** What an upgrade must keep: the tables, rows, records, people and events of an older state, and room for the fixtures of today. */
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { keyTexts } from '../../migrations/0078_key_texts.js'
import { migrations } from '../../migrations/index.js'
import { addTextKeys } from '../../migrations/text-keys.js'
import { createPlugin, type Plugin } from '../../plugin/index.js'
import { tablesWithoutKeys } from '../../plugin/storage/tables/missing-keys.js'
import { runCases, type TestDesk, type Topic, testDesk } from '../../plugin/testing/index.js'
import { type Rows, readRows } from '../../plugin/testing/snapshot.js'
import { type TestDatabase, testStore, withDatabase } from './database.js'
import { LISTENING, makeTablesOf, type OldRecord, type OldWorld, readOldWorld, writeRowsOf } from './old-worlds.js'
import { silent, TEST_SECRET } from './settings.js'
import { statementsOf } from './template.js'
import { createVehicles, vehicle } from './vehicle.js'

type Row = Readonly<Record<string, unknown>>

const DAY = 86_400_000
const AUDIT_LINE = 'payload[audit_line_id]'
const OF_HOST = { records: [vehicle], migrations: [createVehicles], secret: TEST_SECRET, log: silent }

/** What migrations may change of what there was: columns with other values, and what is gone. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  '0019_order_deliveries_by_receiver': ['webhook_health.claimed_by gone', 'webhook_health.claimed_until gone'],
  '0022_create_leases': ['gates gone', 'webhook_receivers gone', 'imports.claimed_until gone'],
  '0033_pass_impacts': ['services.impact', 'service_instances.impact'],
  '0070_tell_of_targets': ['affected_slas.renew_at'],
}
/** What of this the API shows. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  '0033_pass_impacts': ['service.impact', 'service_instance.impact'],
}

/** Describes the upgrade of the world of a version to today, and runs the cases of the topics beside it. */
export function describeUpgrade(version: string, topics: readonly Topic[]): void {
  describe(`the database of ${version}`, () => {
    const database = withDatabase({ migrated: false })
    const old = readOldWorld(version)
    const later = migrations.map(({ name }) => name).filter((name) => !old.migrations.includes(name))
    let itsm: Plugin | null = null
    const current = (): Plugin => {
      if (!itsm) throw new Error('The plugin exists only while the specs of the block run')
      return itsm
    }
    const read = ({ type, id, account, owner }: OldRecord) => current().asSystem('compares', account).read(type, id, owner)

    before('makes it', async function () {
      this.timeout(120_000)
      await makeTablesOf(old, database.storage, [createVehicles])
      itsm = createPlugin({ ...OF_HOST, baseUrl: 'https://desk.example/v1', database: { knex: database.knex } })
      // States with keys have them in tables of the host, too, from migrate().
      if (old.migrations.includes(keyTexts.name))
        await addTextKeys(database.storage, await tablesWithoutKeys(database.storage, itsm.catalog))
      await writeRowsOf(old, database.storage)
    })
    after(() => itsm?.stop())

    // The statements that are stored are those of SQLite.
    if (testStore() === 'embedded') {
      it('had the tables that its migrations still make', async () => {
        expect(await statementsOf(database.storage)).to.deep.equal(old.statements)
      })
    }

    it('migrates; rows change only where migrations say so', async function () {
      this.timeout(120_000)
      expect((await current().check()).migrations).to.deep.equal(later)
      const before = await readRows(database.storage, (table) => !table.includes('migrations'))
      expect(await current().migrate()).to.deep.equal(later)
      expect(await current().migrate()).to.deep.equal([])
      const changed = changesIn(before, await readRows(database.storage, () => true))
      expect(later.flatMap((name) => CHANGES[name] ?? [])).to.include.members(changed)
    })

    it('has the tables of today, and that of the host', async () => {
      expect(await current().check()).to.deep.equal({ migrations: [], differences: [], draft: '' })
    })

    it('shows its records as that version has shown them', async () => {
      const shown = later.flatMap((name) => SHOWN[name] ?? [])
      const differences: string[] = []
      for (const record of old.records) {
        const found = await read(record)
        for (const [name, value] of Object.entries(record.shown)) {
          if (isDeepStrictEqual(comparable(found[name]), comparable(value))) continue
          const isMeant = shown.includes(`${record.type}.${name}`)
          if (!isMeant) differences.push(`${record.type} ${record.id}, ${name}: ${JSON.stringify([value, found[name]])}`)
        }
      }
      expect(differences).to.deep.equal([])
    })

    if (topics.length > 0) describeDesk(old, database, topics)
  })
}

/** Describes the upgraded database with the world of today beside its own. */
function describeDesk(old: OldWorld, database: TestDatabase, topics: readonly Topic[]): void {
  describe('with the world of today beside its own', () => {
    let desk: TestDesk | null = null
    const sent: number[] = []
    before('loads the world', async function () {
      this.timeout(60_000)
      const fetch = async (url: string, { body }: { readonly body: string }) => {
        if (url === LISTENING) sent.push(Number(new URLSearchParams(body).get(AUDIT_LINE)))
        return new Response(null, { status: 204 })
      }
      desk = await testDesk({ ...OF_HOST, knex: database.knex, webhooks: { fetch } })
    })
    after(() => desk?.close())
    const theDesk = (): TestDesk => {
      if (!desk) throw new Error('The desk exists only while the specs of the block run')
      return desk
    }

    it('knows its people by their tokens, unless they are disabled', async () => {
      const people = old.records.filter(({ type, id, shown }) => type === 'person' && old.tokens[id] && !shown['disabled'])
      for (const { id, account } of people) {
        const credentials = Buffer.from(`${old.tokens[id]}:x`).toString('base64')
        const headers = { Authorization: `Basic ${credentials}`, 'X-SVC-Account': account }
        expect((await theDesk().ask(null, 'GET', '/me', undefined, headers)).body).to.include({ id })
      }
      expect(people).not.to.deep.equal([])
    })

    it('has kept its files', async () => {
      const files = old.records.flatMap(({ shown: { attachments } }) => (Array.isArray(attachments) ? attachments : []))
      for (const { id, size } of files) {
        const owner = rowsOf(old, 'attachments').find((row) => row['id'] === id)
        const type = String(owner?.['owner_type'])
        const record = old.records.find((one) => one.type === type && one.id === owner?.['owner_id'])
        const { attachments } = (await theDesk()
          .itsm.asSystem('reads a file', record?.account ?? '')
          .read(type, record?.id ?? 0)) as {
          readonly attachments: readonly { readonly id: number; readonly uri: string }[]
        }
        const answer = await fetch(attachments.find((one) => one.id === id)?.uri ?? '')
        expect([answer.status, (await answer.arrayBuffer()).byteLength]).to.deep.equal([200, size])
      }
    })

    it('has delivered what its processes could not deliver, and what they had left', async () => {
      await theDesk().advanceTo(new Date(Date.now() + DAY))
      const webhook = rowsOf(old, 'webhooks').find(({ uri }) => uri === LISTENING)?.['id']
      const left = rowsOf(old, 'outbox').filter(({ event }) => event === 'request.update')
      // The engine of deliveries is another one since 0.8.
      const failed = rowsOf(old, 'deliveries').filter(({ webhook_id }) => webhook_id === webhook)
      const ofChannel = rowsOf(old, 'channel_deliveries').filter(({ target }) => target === String(webhook))
      const messages = new Map(rowsOf(old, 'messages').map((row) => [row['sequence'], row]))
      const lines = [
        ...left.map((row) => row['audit_line_id']),
        ...failed.map(({ body }) => new URLSearchParams(String(body)).get(AUDIT_LINE)),
        ...ofChannel.map(({ message }) => messages.get(message)?.['audit_line_id']),
      ]
      expect(left.length).to.be.greaterThan(0)
      expect(failed.length + ofChannel.length).to.be.greaterThan(0)
      expect(sent).to.include.members(lines.map(Number))
    })

    runCases({ desk: theDesk, topics, describe, it })
  })
}

/** A value as responses have it; URLs of files without their signature, which expires. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null).replace(/\?expires=[^"]*/g, ''))
}

function rowsOf({ tables }: OldWorld, table: string): readonly Row[] {
  const { columns = [], rows = [] } = tables[`itsm_${table}`] ?? {}
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])))
}

/** The columns in which some row has another value, and what is gone, without the prefix of tables. */
function changesIn(before: Rows, after: Rows): readonly string[] {
  const changes: string[] = []
  for (const [table, { columns, rows }] of before) {
    const now = after.get(table)
    const name = table.replace('itsm_', '')
    if (!now || now.rows.length !== rows.length) changes.push(`${name} ${now ? `has ${now.rows.length} rows` : 'gone'}`)
    for (const [index, column] of now ? columns.entries() : []) {
      const place = now?.columns.indexOf(column) ?? -1
      const found = now?.rows.map((row) => row[place])
      const isSame = isDeepStrictEqual(
        rows.map((row) => row[index]),
        found,
      )
      if (place < 0) changes.push(`${name}.${column} gone`)
      else if (!isSame) changes.push(`${name}.${column}`)
    }
  }
  return changes
}

/** The part of the generated suite about import files: records are found by each key of their type. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { namingField } from '../../plugin/imports/columns/cells.js'
import type { RecordType } from '../../plugin/schema/catalog.js'
import type { RecordFixture } from '../../plugin/testing/index.js'
import { multipart } from '../../plugin/testing/send.js'
import type { ContractDeps, Made, Maker } from './contract-place.js'

export function describeImporting(
  { catalog, mounted }: ContractDeps,
  maker: Maker,
  type: RecordType,
  fixture: RecordFixture,
): void {
  const { columns, key = null, type: importType } = type.import ?? { columns: [], type: '' }
  const headerOf = (field: string) => columns.find((column) => column.field === field)?.header
  const minimal = fixture.bodies['minimal'] ?? {}
  const below = fixture.below === undefined ? null : catalog.type(fixture.below)

  describe(importType, () => {
    let number = 0
    let parentId: string | null = null

    it('makes records of its required columns, and finds them by ID', async () => {
      const { cells, name } = await newCells()
      expect(await imported([cells])).to.deep.equal({ created: 1, updated: 0, unchanged: 0 })
      const made = await found(name)
      expect(await imported([{ ID: String(made['id']), ...cells }])).to.deep.equal({ created: 0, updated: 0, unchanged: 1 })
      const other = await newCells()
      const changed = { ID: String(made['id']), ...other.cells }
      expect(await imported([changed])).to.deep.equal({ created: 0, updated: 1, unchanged: 0 })
      expect((await found(other.name))['id']).to.equal(made['id'])
    })

    it('finds records by Source and Source ID, and makes those that are not there', async () => {
      const [one, other] = [await newCells(), await newCells()]
      const source = { Source: 'Import', 'Source ID': `K-${number}` }
      expect(await imported([{ ...source, ...one.cells }])).to.deep.equal({ created: 1, updated: 0, unchanged: 0 })
      const made = await found(one.name)
      expect(await imported([{ ...source, ...other.cells }])).to.deep.equal({ created: 0, updated: 1, unchanged: 0 })
      expect((await found(other.name))['id']).to.equal(made['id'])
    })

    if (key !== null) {
      it(`finds records by ${headerOf(key)}`, async () => {
        const [one, other] = [await newCells(), await newCells()]
        const header = headerOf(key) ?? ''
        expect(await imported([one.cells])).to.deep.equal({ created: 1, updated: 0, unchanged: 0 })
        const made = await found(one.name)
        // The service sets some keys itself.
        const again = { ...other.cells, [header]: String(one.cells[header] ?? made[key]).toUpperCase() }
        expect(await imported([again])).to.deep.equal({ created: 0, updated: 1, unchanged: 0 })
        expect((await found(other.name))['id']).to.equal(made['id'])
      })
    }

    it('refuses rows without a value for a required column, and goes on with the next', async () => {
      const required = [...type.fields.values()].filter(
        (field) => field.required && headerOf(field.name) && field.name in minimal,
      )
      const headers = required.map((field) => headerOf(field.name) ?? '').filter((header) => header !== headerOf(key ?? ''))
      for (const header of headers) {
        // Lines without any value are not rows.
        const rows = [{ ...(await newCells()).cells, [header]: '' }, (await newCells()).cells]
        const results = await resultsOf(rows.map((cells) => ({ Source: 'Import', ...cells })))
        expect(results, header).to.include({ created: 1, failures: 1 })
      }
    })

    /** A row of a new record, and its name. */
    async function newCells(): Promise<{ cells: Record<string, string>; name: string }> {
      number += 1
      const body = maker.body(type, 'minimal')
      // Records that are found again get another title.
      if (type.title) body[type.title] = `${body[type.title] ?? type.name} of row ${number}`
      const cells: Record<string, string> = {}
      for (const [field, value] of Object.entries(body))
        cells[headerOf(field.replace(/_id$/, '')) ?? field] = await cellOf(field, value)
      // In the API, such records are created below the one that they refer to.
      if (below !== null) cells[headerOf(below.name) ?? ''] ??= await idOfParent(below)
      return { cells, name: String(body[type.title ?? '']) }
    }

    /** One for all rows: records stay with it. */
    async function idOfParent(parent: RecordType): Promise<string> {
      parentId ??= String((await maker.create(parent, `/${parent.path}`, maker.body(parent, 'minimal')))['id'])
      return parentId
    }

    /** References in files use what names the records of their type. */
    async function cellOf(field: string, value: unknown): Promise<string> {
      const given = minimal[field]
      if (typeof given !== 'string' || !given.startsWith('@')) return String(value)
      const record = catalog.type(mounted.world.record(given).type)
      const named = await mounted.ask('@owen', 'GET', `/${record.path}/${mounted.world.id(given)}`)
      return String((named.json as Record<string, unknown>)[namingField(catalog, record.name)])
    }

    async function found(name: string): Promise<Made> {
      const records = await maker.list(type, `/${type.path}`, `${type.title ?? 'name'}=${encodeURIComponent(name)}`)
      expect(records.length, name).to.equal(1)
      return records[0] ?? {}
    }

    async function imported(rows: readonly Record<string, string>[]) {
      const results = await resultsOf(rows)
      expect(results).to.include({ failures: 0, errors: 0, deleted: 0 })
      const { created, updated, unchanged } = results
      return { created, updated, unchanged }
    }

    async function resultsOf(rows: readonly Record<string, string>[]): Promise<Record<string, number>> {
      const headers = Object.keys(rows[0] ?? {})
      const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
      const text = [line(headers), ...rows.map((row) => line(headers.map((header) => row[header] ?? '')))].join('\r\n')
      const token = await submitted(text)
      for (let asked = 0; ; asked += 1) {
        expect(asked, 'asked too often').to.be.below(500)
        const progress = (await mounted.ask('@owen', 'GET', `/import/${token}`)).json as { state: string; results: object }
        if (progress.state === 'done') return progress.results as Record<string, number>
        expect(['queued', 'processing']).to.contain(progress.state)
        await sleep(20)
      }
    }

    async function submitted(text: string): Promise<string> {
      const { type: contentType, body } = multipart({ type: importType, file: { fileName: 'records.csv', text } })
      const answer = await mounted.ask('@owen', 'POST', '/import', body, { 'Content-Type': contentType })
      expect(answer.status, answer.text).to.equal(200)
      return (answer.json as { token: string }).token
    }
  })
}

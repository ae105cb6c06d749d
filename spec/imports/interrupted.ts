/** Imports below HTTP that end after some of their saves, so that other runs go on with them. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { before } from 'mocha'
import { createImports, type Imports } from '../../plugin/imports/imports.js'
import type { Upload } from '../../plugin/imports/upload.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import type { House } from '../support/house.js'
import { settingsWith, silent } from '../support/settings.js'

/** Runs that are interrupted at most, and how all files are uploaded. */
interface Interrupting {
  readonly interruptions: number
  readonly upload?: Partial<Upload>
}

/** Provides imports of a person with role account_administrator, for the calling block (in `describe`). */
export function withInterruptedImports(house: House, { interruptions, upload = {} }: Interrupting) {
  let admin = 0
  let imports: Imports
  let woken: number[] = []
  let onSave: (type: string) => void = () => {}

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    const { baseUrl, secret, takeOverAfterMs, words } = settingsWith()
    const { access, catalog, clock, operations, permissions, queries, storage } = house
    imports = createImports({
      ...{ access, catalog, clock, permissions, queries, storage },
      leases: createLeases({ storage, clock, log: silent, randomId: randomUUID }),
      operations: {
        ...operations,
        saveAll: (call, type, items) => {
          onSave(type)
          return operations.saveAll(call, type, items)
        },
      },
      log: silent,
      wakeMails: () => {},
      keepDays: 90,
      history: true,
      ...{ words, secret, baseUrl, takeOverAfterMs },
      wakeDispatch: () => {},
      wake: (id) => void woken.push(id),
    })
  })

  const byAdmin = () => house.by(admin)
  const submit = async (call: Awaited<ReturnType<typeof byAdmin>>, type: string, text: string, more: Partial<Upload> = {}) => {
    async function* bytes() {
      yield Buffer.from(text)
    }
    return imports.submit(call, { type, fileName: 'file.csv', content: bytes(), ...upload, ...more })
  }
  return {
    byAdmin,
    submit,
    /** Imports a file in several runs: each ends after a save of records of the type `until`, but for the last one. */
    async inRuns(type: string, text: string, more: Partial<Upload> = {}, until = 'nothing') {
      woken = []
      const call = await byAdmin()
      const { token } = await submit(call, type, text, more)
      const [id = 0] = woken
      let runs = 0
      for (let isDone = false; !isDone && runs < 100; runs += 1) {
        const controller = new AbortController()
        onSave = (saved) => {
          if (saved === until && runs < interruptions) controller.abort()
        }
        isDone = await imports.run(id, controller.signal)
      }
      onSave = () => {}
      const { items } = await imports.list(call, { page: 1, perPage: 1 })
      expect(items[0]?.token).to.equal(token)
      return { runs, entry: items[0], id }
    },
  }
}

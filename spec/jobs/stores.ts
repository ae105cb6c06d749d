import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { MongoJobRepository } from '@agendajs/mongo-backend'
import type { JobRepository } from 'agenda'
import { MongoClient } from 'mongodb'
import type { JobBackend } from '../../plugin/jobs/job-queue.js'
import { createMemoryBackend } from '../../plugin/jobs/memory-backend.js'

export const MONGODB_URL = process.env['MONGODB_URL']

/** A store to lend, and a look into it. */
export interface LentStore {
  backend: JobBackend
  repository: JobRepository
  drop(): Promise<void>
}

export async function lendMemory(): Promise<LentStore> {
  const backend = createMemoryBackend()
  return { backend, repository: backend.repository, drop: async () => {} }
}

async function lendMongo(url: string): Promise<LentStore> {
  const client = await new MongoClient(url, { serverSelectionTimeoutMS: 3000 }).connect()
  const db = client.db(`itsm_spec_${randomUUID().slice(0, 8)}`)
  const repository = new MongoJobRepository({ mongo: db, db: { collection: 'itsm_jobs' } })
  await repository.connect()
  const drop = async () => {
    await db.dropDatabase()
    await client.close()
  }
  return { backend: { db }, repository, drop }
}

/** A promise that a spec settles itself. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Looks until something is true, for ten seconds at most, so that a failing spec does not keep the process. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1000; looks += 1) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('It never became true')
}

/** The stores of this run: memory always, MongoDB when MONGODB_URL names a server. */
export const STORES: [name: string, lend: () => Promise<LentStore>][] = [['memory', lendMemory]]
if (MONGODB_URL) STORES.push(['MongoDB', () => lendMongo(MONGODB_URL)])

/** The server's URL with a database that nobody has. */
export function urlOfRandomDatabase(server: string, path = `/itsm_spec_${randomUUID().slice(0, 8)}`): string {
  const url = new URL(server)
  url.pathname = path
  return url.href
}

export async function dropDatabase(url: string): Promise<void> {
  const client = await new MongoClient(url).connect()
  await client.db().dropDatabase()
  await client.close()
}

/** A connection to the server that can be cut and mended. */
export async function openLine(server: string): Promise<{ url: string; cut(): void; mend(): void; close(): Promise<void> }> {
  const { hostname, port } = new URL(server)
  const sockets = new Set<Socket>()
  let isCut = false
  const listener = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: `mongodb://127.0.0.1:${(listener.address() as AddressInfo).port}/?directConnection=true`,
    cut,
    mend: () => {
      isCut = false
    },
    close: async () => {
      cut()
      listener.close()
      await once(listener, 'close')
    },
  }
}

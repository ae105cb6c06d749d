/**
 * Record types for specs of settling: a season is over when its tours are; a tour when its concerts are; a concert is ready
 * when those before it are done. A tour counts its open concerts, its artists, and the income from sponsors and tickets.
 */
import { linkTable, type Migration, partTable, recordTable } from '../../migrations/tools.js'
import { common, defineRecord, follow, identity, integer, oneOf, parts, ref, string } from '../../plugin/index.js'

const collection = { fields: 'id', sort: 'id', filterable: 'id' } as const
const ADMINISTRATORS = ['account_administrator'] as const
const access = { create: ADMINISTRATORS, update: ADMINISTRATORS, remove: ADMINISTRATORS }
const operations = ['list', 'single', 'create', 'update', 'remove'] as const

const season = defineRecord('season', {
  path: 'seasons',
  fields: { ...common, name: string(60), status: oneOf(['open', 'closed'], { required: true }) },
  collection,
  access,
  operations,
  settle: [
    follow('tours', {
      of: { tours: { type: 'tour', by: 'season' }, open: { type: 'tour', by: 'season', where: { status: 'open' } } },
      fields: ['status'],
      fills: ['status'],
      decide: ({ open, tours }) => ({ owner: { status: tours.length > 0 && open.length === 0 ? 'closed' : 'open' } }),
    }),
  ],
  events: ['create', 'update', 'status-changed'],
})

const tour = defineRecord('tour', {
  path: 'tours',
  fields: {
    ...common,
    name: string(60),
    season: ref('season'),
    status: oneOf(['open', 'closed'], { required: true }),
    open_count: integer({ readOnly: true }),
    artist_count: integer({ readOnly: true }),
    income: integer({ readOnly: true, maximum: 1000 }),
    sponsors: parts('sponsor', { replaceable: true }),
  },
  collection,
  links: { artists: { record: 'artist', table: 'tour_artists', from: 'tour_id', to: 'artist_id' } },
  children: { concerts: { record: 'concert', by: 'tour', link: true } },
  parts: ['sponsor'],
  access,
  operations,
  settle: [
    follow('concerts', {
      of: {
        concerts: { type: 'concert', by: 'tour' },
        order: { link: 'predecessors', of: 'concerts' },
      },
      fields: ['status', 'open_count'],
      fills: ['status'],
      decide({ concerts, order, owner }) {
        const statusOf = new Map(concerts.map((concert) => [Number(concert['id']), concert['status']]))
        const isBlocked = (id: number) => order.some(({ from, to }) => from === id && statusOf.get(to) !== 'done')
        const open = concerts.filter(({ status }) => status !== 'done')
        return {
          owner: {
            open_count: open.length,
            status:
              concerts.length > 0 && open.length === 0
                ? 'closed'
                : owner['name'] === 'Last'
                  ? (owner['status'] ?? 'open')
                  : 'open',
          },
          concerts: new Map(
            open.map(({ id }) => [Number(id), { status: isBlocked(Number(id)) ? 'waiting' : 'ready' }] as const),
          ),
        }
      },
    }),
    follow('income', {
      of: {
        artists: { link: 'artists' },
        sponsors: { part: 'sponsor' },
        concerts: { type: 'concert', by: 'tour' },
        tickets: { part: 'ticket', of: 'concerts' },
      },
      decide: ({ artists, sponsors, tickets }) => ({
        owner: {
          artist_count: artists.length,
          income: [...sponsors, ...tickets].reduce((sum, { amount }) => sum + Number(amount), 0),
        },
      }),
    }),
  ],
  events: ['create', 'update', 'status-changed'],
})

const concert = defineRecord('concert', {
  path: 'concerts',
  fields: {
    ...common,
    name: string(60),
    tour: ref('tour'),
    status: oneOf(['waiting', 'ready', 'done'], { default: 'waiting' }),
    tickets: parts('ticket', { replaceable: true }),
  },
  collection,
  links: {
    predecessors: { record: 'concert', table: 'concert_order', from: 'later_id', to: 'earlier_id', acyclic: true },
    successors: { record: 'concert', table: 'concert_order', from: 'earlier_id', to: 'later_id', acyclic: true },
  },
  parts: ['ticket'],
  access,
  operations,
  events: ['create', 'update', 'status-changed'],
  import: { type: 'concerts', columns: ['name', 'tour', 'status'].map((field) => ({ header: field, field })), order: 9000 },
})

const artist = defineRecord('artist', {
  path: 'artists',
  fields: { ...common, name: string(60) },
  collection,
  access,
  operations,
})

const money = (name: string, path: string, owner: string) =>
  defineRecord(name, {
    path,
    title: null,
    partOf: [owner],
    fields: { ...identity, amount: integer({ required: true }) },
    collection: { ...collection, fields: 'id amount' },
    access,
    audit: false,
  })

export const tours = [
  season,
  tour,
  concert,
  artist,
  money('sponsor', 'sponsors', 'tour'),
  money('ticket', 'tickets', 'concert'),
]

export const createTours: Migration = {
  name: 'host_0001_create_tours',
  async up(schema) {
    const record = (name: string, more: Parameters<typeof recordTable>[2]) =>
      recordTable(schema, name, (table) => {
        table.string('source', 30)
        table.string('sourceID', 128)
        table.datetime('created_at')
        table.datetime('updated_at')
        table.unique('account_id', 'source', 'sourceID')
        table.string('name', 60)
        more(table)
      })
    await record('seasons', (table) => table.enum('status'))
    await record('tours', (table) => {
      table.ref('season_id')
      table.enum('status')
      table.integer('open_count')
      table.integer('artist_count')
      table.integer('income')
    })
    await record('concerts', (table) => {
      table.ref('tour_id')
      table.enum('status')
    })
    await record('artists', () => {})
    for (const name of ['sponsors', 'tickets']) await partTable(schema, name, (table) => void table.integer('amount'))
    await linkTable(schema, 'tour_artists', 'tour_id', 'artist_id')
    await linkTable(schema, 'concert_order', 'later_id', 'earlier_id')
  },
  down: async () => {},
}

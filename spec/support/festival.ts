/**
 * Record types for specs of writing: each uses one of the rarer options of definitions. A stage has a program of acts, which
 * follow each other; performers play in them; a rider lists what they need.
 */
import { linkTable, type Migration, partTable, recordTable } from '../../migrations/tools.js'
import {
  boolean,
  common,
  decimal,
  defineRecord,
  identity,
  integer,
  oneOf,
  part,
  parts,
  ref,
  refs,
  string,
  strings,
  text,
  times,
} from '../../plugin/index.js'
import { countUses } from '../../plugin/rules/general/count-uses.js'
import { mirrored } from '../../plugin/rules/general/mirrored.js'
import { mustHaveRole } from '../../plugin/rules/general/must-have-role.js'

const collection = { fields: 'id', sort: 'id', filterable: 'id' } as const
const ADMINISTRATORS = ['account_administrator'] as const

const stage = defineRecord('stage', {
  path: 'stages',
  fields: {
    ...common,
    name: string(60, { required: true }),
    manager: ref('person'),
    crew: ref('team'),
    remarks: text({
      read: ['account_administrator', { memberOf: 'crew' }],
      write: ['account_administrator', { memberOf: 'crew' }],
    }),
    slots: parts('slot', { readOnly: true }),
  },
  collection,
  children: { acts: { record: 'act', by: 'stage' }, guest_acts: { record: 'act', by: 'guest_stage', link: true } },
  parts: ['slot', 'stage_relation'],
  access: { create: ADMINISTRATORS, update: [...ADMINISTRATORS, { person: 'manager' }, { memberOf: 'crew' }] },
  rules: [mustHaveRole('manager', 'project_manager')],
  events: ['create', 'update'],
})

const slot = defineRecord('slot', {
  path: 'slots',
  title: null,
  partOf: ['stage'],
  fields: { ...identity, label: string(20, { required: true }), minutes: integer({ minimum: 1 }) },
  collection: { ...collection, fields: 'id label minutes' },
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS, remove: ADMINISTRATORS },
  audit: false,
})

const stageRelation = defineRecord('stage_relation', {
  path: 'relations',
  table: 'stage_relations',
  title: null,
  partOf: ['stage'],
  fields: {
    ...identity,
    stage: ref('stage', { required: true, inputAs: 'related_stage' }),
    kind: oneOf(['left_of', 'right_of', 'near'], { required: true }),
  },
  collection,
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS, remove: ADMINISTRATORS },
  rules: [mirrored('stage', { relation: 'kind', inverse: { left_of: 'right_of', right_of: 'left_of' } })],
  audit: false,
})

const genre = defineRecord('genre', {
  path: 'genres',
  fields: {
    ...common,
    name: string(60),
    code: string(60),
    disabled: boolean({ default: false }),
    times_played: integer({ readOnly: true, default: 0 }),
    keeper: ref('person', { write: ADMINISTRATORS }),
    friend: ref('person'),
  },
  collection,
  access: { create: [...ADMINISTRATORS, { person: 'keeper' }, { person: 'friend' }], update: ADMINISTRATORS },
  unique: [['code']],
})

const performer = defineRecord('performer', {
  path: 'performers',
  fields: { ...common, name: string(60) },
  collection,
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
})

const act = defineRecord('act', {
  path: 'acts',
  title: 'subject',
  operations: ['list', 'single', 'update', 'remove'],
  fields: {
    ...common,
    subject: string(60, { required: true }),
    stage: ref('stage', { required: true }),
    guest_stage: ref('stage'),
    manager: ref('person', { derived: { from: 'stage.manager', as: 'value' } }),
    genre: ref('genre', { shownAs: 'code', inputAs: 'style' }),
    nicknames: strings(20, { inputAs: 'aliases' }),
    fee: decimal({ write: [{ person: 'manager' }] }),
    headliner: ref('performer', { firstOf: 'performers' }),
    predecessors: refs('act', { only: 'create' }),
    rider: part('rider'),
    deleted: boolean({ readOnly: true, default: false }),
  },
  collection,
  links: {
    performers: { record: 'performer', table: 'act_performers', from: 'act_id', to: 'performer_id' },
    helpers: { record: 'person', table: 'act_helpers', from: 'act_id', to: 'person_id', singular: 'helping_hand' },
    predecessors: {
      record: 'act',
      table: 'act_successions',
      from: 'successor_id',
      to: 'predecessor_id',
      within: { field: 'stage', code: 'other_change' },
      acyclic: true,
    },
    successors: {
      record: 'act',
      table: 'act_successions',
      from: 'predecessor_id',
      to: 'successor_id',
      within: { field: 'stage', code: 'other_change' },
      acyclic: true,
    },
  },
  parts: ['rider'],
  access: {
    create: [...ADMINISTRATORS, { person: 'manager' }],
    update: [...ADMINISTRATORS, { person: 'manager' }],
    remove: ['specialist', { person: 'manager' }],
  },
  rules: [countUses('genre', { in: 'times_played' })],
  events: ['create', 'update'],
  softDeleteField: 'deleted',
})

const rider = defineRecord('rider', {
  path: 'rider',
  table: 'riders',
  title: null,
  partOf: ['act'],
  nested: [],
  fields: {
    ...identity,
    drinks: string(20, { required: true }),
    towels: integer({ default: 2 }),
    signed: boolean({ readOnly: true, default: false }),
    ...times,
  },
  collection,
  access: { create: [], update: [] },
  audit: false,
})

export const festival = [stage, slot, stageRelation, genre, performer, act, rider]

export const createFestival: Migration = {
  name: 'host_0001_create_festival',
  async up(schema) {
    await recordTable(schema, 'stages', (table) => {
      provenance(table)
      table.string('name', 60)
      table.ref('manager_id')
      table.ref('crew_id')
      table.text('remarks')
    })
    await partTable(schema, 'slots', (table) => {
      table.string('label', 20)
      table.integer('minutes')
    })
    await partTable(schema, 'stage_relations', (table) => {
      table.ref('stage_id')
      table.enum('kind')
    })
    await recordTable(schema, 'genres', (table) => {
      provenance(table)
      table.string('name', 60)
      table.string('code', 60)
      table.boolean('disabled')
      table.integer('times_played')
      table.ref('keeper_id')
      table.ref('friend_id')
      table.unique('account_id', 'code')
    })
    await recordTable(schema, 'performers', (table) => {
      provenance(table)
      table.string('name', 60)
    })
    await recordTable(schema, 'acts', (table) => {
      provenance(table)
      table.string('subject', 60)
      table.ref('stage_id')
      table.ref('guest_stage_id')
      table.ref('genre_id')
      table.strings('nicknames')
      table.decimal('fee')
      table.ref('headliner_id')
      table.boolean('deleted')
    })
    await partTable(schema, 'riders', (table) => {
      table.string('drinks', 20)
      table.integer('towels')
      table.boolean('signed')
      table.datetime('created_at')
      table.datetime('updated_at')
    })
    await linkTable(schema, 'act_performers', 'act_id', 'performer_id')
    await linkTable(schema, 'act_helpers', 'act_id', 'person_id')
    await linkTable(schema, 'act_successions', 'successor_id', 'predecessor_id')
  },
  down: async () => {},
}

function provenance(table: Parameters<Parameters<typeof recordTable>[2]>[0]): void {
  table.string('source', 30)
  table.string('sourceID', 128)
  table.datetime('created_at')
  table.datetime('updated_at')
  table.unique('account_id', 'source', 'sourceID')
}

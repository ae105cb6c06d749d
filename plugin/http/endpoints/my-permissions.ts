import { BadRequest } from '../../core/errors.js'
import { shown } from '../../core/text/shown.js'
import type { RecordType } from '../../schema/catalog.js'
import { ID, schemaNamed } from '../../schema/kinds/json-schema.js'
import { answerJson } from '../answers/answer.js'
import { type Context, type Endpoint, idOf } from '../contract.js'
import type { RouteDeps } from '../deps.js'

/** Maximum number of records in one call. */
const MAX_IDS = 100

/**
 * `GET /me/permissions?type=request&id=3,4,5`: what the caller may do with records of a type in general, and with each of these
 * records (behaviour: What callers may do).
 */
export function myPermissions({ allowances, catalog }: Pick<RouteDeps, 'allowances' | 'catalog'>): Endpoint {
  return {
    method: 'GET',
    path: '/me/permissions',
    description: {
      operation: 'read_my_permissions',
      summary: 'Read what the caller may do',
      description: 'With records of a type in general, and with up to 100 records of it.',
      parameters: [
        { name: 'type', required: true, description: 'Name of a record type: request.' },
        { name: 'id', description: 'Up to 100 records, with commas: 3,4,5.' },
        { name: 'ids', description: 'The same.' },
      ],
      answers: { 200: { description: 'Permissions of the caller.', schema: ALLOWANCE } },
    },
    async run(ctx, call) {
      const type = typeIn(ctx, catalog.types)
      const ids = idsIn(ctx)
      const general = await allowances.inGeneral(call, type)
      answerJson(ctx, 200, ids === null ? general : { ...general, records: await allowances.ofRecords(call, type, ids) })
    },
  }
}

/**
 * `GET /me/permissions/types`: what the caller may do with records of each type in general, without its fields: for clients that
 * show only what is possible.
 */
export function myPermissionsOfTypes({ allowances, catalog }: Pick<RouteDeps, 'allowances' | 'catalog'>): Endpoint {
  return {
    method: 'GET',
    path: '/me/permissions/types',
    description: {
      operation: 'read_my_permissions_of_types',
      summary: 'Read what the caller may do with each type',
      description: 'With records of each type in general, in the order of the catalog.',
      answers: { 200: { description: 'Permissions of the caller.', schema: TYPES } },
    },
    async run(ctx, call) {
      const answers: object[] = []
      // One after the other: each may ask the host.
      for (const type of catalog.types.values()) {
        const { fields: _, ...general } = await allowances.inGeneral(call, type)
        answers.push(general)
      }
      answerJson(ctx, 200, { types: answers })
    },
  }
}

/** @throws BadRequest */
function typeIn(ctx: Context, types: ReadonlyMap<string, RecordType>): RecordType {
  const [name, ...more] = valuesOf(ctx, 'type')
  if (name === undefined) throw new BadRequest("Parameter 'type' is required")
  if (more.length > 0) throw new BadRequest("Parameter 'type' is given more than once")
  const type = types.get(name)
  if (!type) throw new BadRequest(`Invalid value ${shown(name)} for parameter 'type'`)
  return type
}

/** The ids of all these parameters, each once; null without any. @throws BadRequest */
function idsIn(ctx: Context): readonly number[] | null {
  const given = [...valuesOf(ctx, 'id'), ...valuesOf(ctx, 'ids')]
  if (given.length === 0) return null
  const texts = given.flatMap((text) => text.split(',', MAX_IDS + 1))
  if (texts.length > MAX_IDS) throw new BadRequest(`At most ${MAX_IDS} ids can be given`)
  return [...new Set(texts.map(idIn))]
}

function valuesOf(ctx: Context, name: string): readonly string[] {
  return ctx.state.itsm.parameters.flatMap(([given, value]) => (given === name ? [value] : []))
}

function idIn(text: string): number {
  const id = idOf(text.trim())
  if (id === null) throw new BadRequest(`Invalid value ${shown(text)} for parameter 'id'`)
  return id
}

const REACH = { type: 'string', enum: ['all', 'some', 'none'] }
const NAMES = { type: 'array', items: { type: 'string' } }

const ALLOWANCE = {
  title: 'Allowance',
  type: 'object',
  properties: {
    type: { type: 'string' },
    read: REACH,
    create: REACH,
    update: REACH,
    remove: REACH,
    fields: schemaNamed('json_object'),
    records: {
      type: 'array',
      items: {
        title: 'RecordAllowance',
        type: 'object',
        properties: {
          id: ID,
          read: { type: 'boolean' },
          update: { type: 'boolean' },
          remove: { type: 'boolean' },
          fields: NAMES,
          unreadable: NAMES,
          moves: schemaNamed('json_object'),
        },
        required: ['id', 'read'],
        additionalProperties: false,
      },
    },
  },
  required: ['type', 'read', 'create', 'update', 'remove', 'fields'],
  additionalProperties: false,
}

const TYPES = {
  title: 'TypeAllowances',
  type: 'object',
  properties: {
    types: {
      type: 'array',
      items: {
        title: 'TypeAllowance',
        type: 'object',
        properties: { type: { type: 'string' }, read: REACH, create: REACH, update: REACH, remove: REACH },
        required: ['type', 'read', 'create', 'update', 'remove'],
        additionalProperties: false,
      },
    },
  },
  required: ['types'],
  additionalProperties: false,
}

/** The routes of a record type. They only translate HTTP; the work is done in `operations/`. */
import type { Call } from '../core/call.js'
import { NotFound } from '../core/errors.js'
import type { ListRequest, Owner, Saved, SaveItem } from '../operations/operations.js'
import { readSaved } from '../operations/read/read-saved.js'
import type { RecordType } from '../schema/compile/compile.js'
import type { RecordChild } from '../schema/compile/compile-relations.js'
import type { Link, Operation } from '../schema/define-record.js'
import { answerJson, answerNothing, answerPage, beginAnswer } from './answer.js'
import type { HttpDeps } from './deps.js'
import type { Route } from './endpoint.js'
import { ignoredFields } from './ignored-fields.js'
import { placedBelow } from './placed-below.js'
import { offered, type Run, verbs } from './record-verbs.js'
import type { Branch } from './router.js'
import { type Context, parameterOf } from './state.js'
import { newRecordRoute, withStorageUpload } from './storage-upload.js'

type Deps = Pick<HttpDeps, 'operations' | 'catalog' | 'baseUrl' | 'uploadForm'>

/** `/requests`, `/requests/12`, `/requests/open`: the operations of the type at its own path (spec, Conventions 4 and 5). */
export function recordRoutes(deps: Deps, type: RecordType): Branch {
  const { operations } = deps
  const { name } = type
  return {
    all: offered(deps.catalog, type, type.operations, {
      list: (ctx, call) => answerList(deps, ctx, call, name, {}),
      create: async (ctx, call) => {
        const saved = await submit(deps, ctx, call, name, { id: null, body: ctx.state.itsm.body })
        await answerSaved(deps, ctx, name, saved, { location: `/${type.path}` })
      },
    }),
    one: offered(deps.catalog, type, type.operations, {
      single: async (ctx, call) => {
        const record = await operations.read(call, name, ctx.state.itsm.id, ...shownWith(ctx))
        answerJson(ctx, 200, withStorageUpload(deps, ctx, call, type, record))
      },
      update: async (ctx, call) => {
        const { id, body } = ctx.state.itsm
        await answerSaved(deps, ctx, name, await submit(deps, ctx, call, name, { id, body }), {})
      },
      remove: async (ctx, call) => {
        await operations.remove(call, name, ctx.state.itsm.id)
        answerNothing(ctx)
      },
    }),
    lists: withNew(
      type.operations.has('create'),
      newRecordRoute(deps, type),
      listsOf(type.operations, deps, type, () => ({})),
    ),
  }
}

/** `/people/3/contacts`, `/people/3/contacts/8`, `/requests/12/notes/internal`: sub-records (behaviour: Linked records). */
export function partRoutes(deps: Deps, owner: RecordType, path: string, type: RecordType): Branch {
  const { operations } = deps
  const { name } = type
  const ownerOf = (ctx: Context): Owner => ({ type: owner.name, id: ctx.state.itsm.id })
  const within = (ctx: Context) => ({ within: { ...ownerOf(ctx), path } })
  return {
    all: offered(deps.catalog, type, type.nested, {
      list: (ctx, call) => answerList(deps, ctx, call, name, within(ctx)),
      create: async (ctx, call) => {
        const saved = await submit(deps, ctx, call, name, { id: null, body: ctx.state.itsm.body, owner: ownerOf(ctx) })
        const location = `/${owner.path}/${ctx.state.itsm.id}/${path}`
        await answerSaved(deps, ctx, name, saved, { location, owner: ownerOf(ctx) })
      },
      remove: async (ctx, call) => {
        await operations.removeAll(call, name, ownerOf(ctx))
        answerNothing(ctx)
      },
    }),
    one: offered(deps.catalog, type, type.nested, {
      single: async (ctx, call) => {
        const record = await operations.read(call, name, ctx.state.itsm.subId, ...shownWith(ctx, ownerOf(ctx)))
        answerJson(ctx, 200, withStorageUpload(deps, ctx, call, type, record))
      },
      update: async (ctx, call) => {
        const { subId, body } = ctx.state.itsm
        const saved = await submit(deps, ctx, call, name, { id: subId, body, owner: ownerOf(ctx) })
        await answerSaved(deps, ctx, name, saved, { owner: ownerOf(ctx) })
      },
      remove: async (ctx, call) => {
        await operations.remove(call, name, ctx.state.itsm.subId, ownerOf(ctx))
        answerNothing(ctx)
      },
    }),
    lists: withNew(type.nested.has('create'), newBelow(deps, owner, type), listsOf(type.nested, deps, type, within)),
  }
}

/** `/teams/4/members` and `/teams/4/members/17`: links between records (behaviour: Linked records). */
export function linkRoutes(deps: Deps, owner: RecordType, path: string, link: Link): Branch {
  const type = deps.catalog.type(link.record)
  const within = (ctx: Context) => ({ within: { type: owner.name, id: ctx.state.itsm.id, path } })
  const list: Run = (ctx, call) => answerList(deps, ctx, call, type.name, within(ctx))
  const { one, all } = link.write === 'none' ? { one: {}, all: {} } : linkingRuns(deps, owner, path)
  return {
    all: verbs(owner.name, { GET: list, ...all }, 'collection'),
    one: verbs(owner.name, one, 'link'),
    lists: listsOf(LISTED, deps, type, within),
  }
}

/** Creates and removes links. These are posted without a body; if one is sent, it is ignored. */
function linkingRuns({ operations }: Deps, owner: RecordType, path: string) {
  const ownerOf = (ctx: Context): Owner => ({ type: owner.name, id: ctx.state.itsm.id })
  const add: Run = async (ctx, call) => {
    await operations.link(call, ownerOf(ctx), path, ctx.state.itsm.subId)
    answerJson(ctx, 200, {})
  }
  const remove: Run = async (ctx, call) => {
    await operations.unlink(call, ownerOf(ctx), path, ctx.state.itsm.subId)
    answerNothing(ctx)
  }
  const removeAll: Run = async (ctx, call) => {
    await operations.unlinkAll(call, ownerOf(ctx), path)
    answerNothing(ctx)
  }
  return { one: { POST: add, DELETE: remove }, all: { DELETE: removeAll } }
}

/**
 * `/sites/6/people`, `/changes/9/tasks`: records that refer to this one. They can be created here if they cannot exist without
 * it, as a task without its change (spec, Endpoints: Create), and linked like others if the definition allows it:
 * `/changes/9/requests/12` (behaviour: Changes).
 */
export function childRoutes(deps: Deps, owner: RecordType, path: string, child: RecordChild): Branch {
  const { operations } = deps
  const { createdWith, linkedWith, record } = child
  const type = deps.catalog.type(record)
  const within = (ctx: Context) => ({ within: { type: owner.name, id: ctx.state.itsm.id, path } })
  const list: Run = (ctx, call) => answerList(deps, ctx, call, type.name, within(ctx))
  const create: Run = async (ctx, call) => {
    const { id, body } = ctx.state.itsm
    // An owner that the caller cannot see is an unknown path, not an invalid field.
    await operations.read(call, owner.name, id)
    const field = type.fields.get(createdWith ?? '')
    if (!field) throw new NotFound()
    const saved = await submit(deps, ctx, call, type.name, { id: null, ...placedBelow(body, field, id) })
    await answerSaved(deps, ctx, type.name, saved, { location: `/${type.path}` })
  }
  const { one, all } = linkedWith === null ? { one: {}, all: {} } : linkingRuns(deps, owner, path)
  return {
    all: verbs(type.name, { GET: list, ...(createdWith === null ? {} : { POST: create }), ...all }, 'collection'),
    one: verbs(type.name, one, 'link'),
    lists: withNew(createdWith !== null, newBelow(deps, owner, type), listsOf(LISTED, deps, type, within)),
  }
}

/** `/people/3/sla_coverages`: records that cover a person (behaviour: People). */
export function coverageRoutes(deps: Deps, owner: RecordType, path: string, record: string): Branch {
  const type = deps.catalog.type(record)
  const within = (ctx: Context) => ({ within: { type: owner.name, id: ctx.state.itsm.id, path } })
  return {
    all: verbs(type.name, { GET: (ctx, call) => answerList(deps, ctx, call, type.name, within(ctx)) }, 'collection'),
    one: new Map(),
    lists: listsOf(LISTED, deps, type, within),
  }
}

const LISTED: ReadonlySet<Operation> = new Set(['list'])

function listsOf(
  operations: ReadonlySet<Operation>,
  deps: Deps,
  type: RecordType,
  within: (ctx: Context) => Pick<ListRequest, 'within'>,
): ReadonlyMap<string, Route> {
  if (!operations.has('list')) return new Map()
  return new Map(
    [...type.lists.keys()].map((list) => [
      list,
      {
        type: type.name,
        parameters: 'list',
        run: (ctx, call) => answerList(deps, ctx, call, type.name, { list, ...within(ctx) }),
      },
    ]),
  )
}

/** The lists, and `new` if records can be created and no list has that name. */
function withNew(creates: boolean, route: Route | null, lists: ReadonlyMap<string, Route>): ReadonlyMap<string, Route> {
  return creates && route ? new Map([['new', route], ...lists]) : lists
}

/** `new` below an owner, which the caller must see. */
function newBelow(deps: Deps, owner: RecordType, type: RecordType): Route | null {
  return newRecordRoute(deps, type, (ctx, call) => deps.operations.read(call, owner.name, ctx.state.itsm.id))
}

async function answerList(
  { operations, baseUrl }: Deps,
  ctx: Context,
  call: Call,
  type: string,
  request: Omit<ListRequest, 'parameters'>,
): Promise<void> {
  const { handling, parameters } = ctx.state.itsm
  const asked = handling === 'strict' ? { parameters, handling, ...request } : { parameters, ...request }
  answerPage(ctx, baseUrl, await operations.list(call, type, asked))
}

/** Saves with the client's preferences. */
function submit({ operations }: Deps, ctx: Context, call: Call, type: string, item: SaveItem): Promise<Saved> {
  return operations.submit(call, type, { ...item, handling: ctx.state.itsm.handling })
}

/** The owner of a record, and the names in the parameter `fields`: some fields appear in full records only if requested. */
function shownWith(ctx: Context, owner?: Owner): [owner?: Owner | undefined, also?: readonly string[]] {
  const fields = parameterOf(ctx, 'fields')
  if (fields !== undefined) return [owner, fields.split(',').map((name) => name.trim())]
  return owner ? [owner] : []
}

/** Responds with the full record after a save, and with the ignored names: 201 and its URL if it is new, else 200. */
async function answerSaved(
  { operations, baseUrl }: Deps,
  ctx: Context,
  type: string,
  { call, row, ignored }: Saved,
  { location, owner }: { location?: string; owner?: Owner },
): Promise<void> {
  const id = Number(row['id'])
  const record = await readSaved(operations, call, type, id, ...shownWith(ctx, owner))
  beginAnswer(ctx)
  if (location !== undefined) ctx.set('Location', `${baseUrl}${location}/${id}`)
  if (ignored.length > 0) ctx.set('X-Ignored-Fields', ignoredFields(ignored))
  answerJson(ctx, location === undefined ? 200 : 201, record)
}

/** The routes of a record type. They only translate HTTP; the work is done in `operations/`. */
import type { Call } from '../../core/call.js'
import { NotFound } from '../../core/errors.js'
import type { ListRequest, Owner } from '../../operations/contract.js'
import type { RecordChild, RecordType } from '../../schema/catalog.js'
import type { Operation } from '../../schema/language/define-record.js'
import type { Link } from '../../schema/language/relations.js'
import { answerJson, answerNothing } from '../answers/answer.js'
import { answerList, answerRecord, answerSaved, type RecordDeps, readAll, readOne, submit } from '../answers/record-answers.js'
import { newRecordRoute } from '../answers/storage-upload.js'
import type { Branch, Context, Post, Route } from '../contract.js'
import { preconditionOf, showsNothing } from '../requests/preconditions.js'
import { creating } from './create-record.js'
import { changingMany } from './many-records.js'
import { placedBelow } from './placed-below.js'
import { offered, type Run, verbs } from './record-verbs.js'

/** `/requests`, `/requests/12`, `/requests/open`: the operations of the type at its own path (spec, Conventions 4 and 5). */
export function recordRoutes(deps: RecordDeps, type: RecordType): Branch {
  const { operations } = deps
  const { name } = type
  return {
    all: offered(deps.catalog, type, type.operations, {
      list: (ctx, call) => answerList(deps, ctx, call, type, {}),
      create: creating(deps, type, (ctx) => ({ item: { id: null, body: ctx.state.itsm.body }, location: `/${type.path}` }), {
        asked: (body) => ({ item: { id: null, body } }),
        location: () => `/${type.path}`,
      }),
      update: changingMany(deps, type),
    }),
    one: offered(deps.catalog, type, type.operations, {
      single: async (ctx, call) => {
        await answerRecord(deps, ctx, call, type, ctx.state.itsm.id)
      },
      update: async (ctx, call) => {
        const { id, body } = ctx.state.itsm
        const saved = await submit(deps, ctx, call, type, { id, body }, readOne(deps, ctx, type, id))
        await answerSaved(deps, ctx, type, saved)
      },
      remove: async (ctx, call) => {
        const { id } = ctx.state.itsm
        await operations.remove(call, name, id, undefined, preconditionOf(ctx, call, readOne(deps, ctx, type, id)))
        answerNothing(ctx)
      },
    }),
    lists: withNew(type.operations.has('create'), newRecordRoute(deps, type), [
      ...countsOf(deps, type),
      ...listsOf(type.operations, deps, type, () => ({})),
    ]),
  }
}

/** `/people/3/contacts`, `/people/3/contacts/8`, `/requests/12/notes/internal`: sub-records (behaviour: Linked records). */
export function partRoutes(deps: RecordDeps, owner: RecordType, path: string, type: RecordType): Branch {
  const { operations } = deps
  const { name } = type
  const ownerOf = ownerAs(owner)
  const within = withinOf(owner, path)
  const all = (ctx: Context) => readAll(deps, ctx, type, within(ctx))
  return {
    all: offered(deps.catalog, type, type.nested, {
      list: (ctx, call) => answerList(deps, ctx, call, type, within(ctx)),
      create: creating(
        deps,
        type,
        (ctx) => ({
          item: { id: null, body: ctx.state.itsm.body, owner: ownerOf(ctx) },
          location: `/${owner.path}/${ctx.state.itsm.id}/${path}`,
          read: all(ctx),
        }),
        {
          asked: (body, ctx) => ({ item: { id: null, body, owner: ownerOf(ctx) } }),
          location: (ctx) => `/${owner.path}/${ctx.state.itsm.id}/${path}`,
          check: (ctx, call) => operations.read(call, owner.name, ctx.state.itsm.id),
          callBelow: (ctx, call) => operations.beforeSubmit(call, name, { id: null, body: {}, owner: ownerOf(ctx) }),
        },
        ownerOf,
      ),
      remove: async (ctx, call) => {
        await operations.removeAll(call, name, ownerOf(ctx), preconditionOf(ctx, call, all(ctx)))
        answerNothing(ctx)
      },
    }),
    one: offered(deps.catalog, type, type.nested, {
      single: async (ctx, call) => {
        await answerRecord(deps, ctx, call, type, ctx.state.itsm.subId, ownerOf(ctx))
      },
      update: async (ctx, call) => {
        const { subId, body } = ctx.state.itsm
        const item = { id: subId, body, owner: ownerOf(ctx) }
        const saved = await submit(deps, ctx, call, type, item, readOne(deps, ctx, type, subId, ownerOf(ctx)))
        await answerSaved(deps, ctx, type, saved, ownerOf(ctx))
      },
      remove: async (ctx, call) => {
        const { subId } = ctx.state.itsm
        const precondition = preconditionOf(ctx, call, readOne(deps, ctx, type, subId, ownerOf(ctx)))
        await operations.remove(call, name, subId, ownerOf(ctx), precondition)
        answerNothing(ctx)
      },
    }),
    lists: withNew(type.nested.has('create'), newFormBelow(deps, owner, type), [...listsOf(type.nested, deps, type, within)]),
  }
}

/** `/teams/4/members` and `/teams/4/members/17`: links between records (behaviour: Linked records). */
export function linkRoutes(deps: RecordDeps, owner: RecordType, path: string, link: Link): Branch {
  const type = deps.catalog.type(link.record)
  const within = withinOf(owner, path)
  const list: Run = (ctx, call) => answerList(deps, ctx, call, type, within(ctx))
  const { one, all } = link.write === 'none' ? { one: {}, all: {} } : linkingRuns(deps, owner, path, type)
  return {
    all: verbs(owner.name, { GET: list, ...all }, 'collection'),
    one: verbs(owner.name, one, 'link'),
    lists: listsOf(LISTED, deps, type, within),
  }
}

/** Creates and removes links. These are posted without a body; if one is sent, it is ignored. */
function linkingRuns(deps: RecordDeps, owner: RecordType, path: string, type: RecordType) {
  const { operations } = deps
  const [ownerOf, within] = [ownerAs(owner), withinOf(owner, path)]
  const add: Post = {
    act: async (ctx, call) => {
      await operations.link(call, ownerOf(ctx), path, ctx.state.itsm.subId)
      return { status: 200, value: {} }
    },
    before: (ctx, call) => operations.beforeSubmit(call, owner.name, { id: ctx.state.itsm.id, body: {} }),
    again: (ctx, call) => operations.read(call, owner.name, ctx.state.itsm.id),
  }
  const remove: Run = async (ctx, call) => {
    await operations.unlink(call, ownerOf(ctx), path, ctx.state.itsm.subId, preconditionOf(ctx, call, showsNothing))
    answerNothing(ctx)
  }
  const removeAll: Run = async (ctx, call) => {
    const all = readAll(deps, ctx, type, within(ctx))
    await operations.unlinkAll(call, ownerOf(ctx), path, preconditionOf(ctx, call, all))
    answerNothing(ctx)
  }
  return { one: { POST: add, DELETE: remove }, all: { DELETE: removeAll } }
}

/**
 * `/sites/6/people`, `/changes/9/tasks`: records that refer to this one. They can be created here if they cannot exist without
 * it, as a task without its change (spec, Endpoints: Create), and linked like others if the definition allows it:
 * `/changes/9/requests/12` (behaviour: Changes).
 */
export function childRoutes(deps: RecordDeps, owner: RecordType, path: string, child: RecordChild): Branch {
  const { operations } = deps
  const { createdWith, linkedWith, record } = child
  const type = deps.catalog.type(record)
  const within = withinOf(owner, path)
  const list: Run = (ctx, call) => answerList(deps, ctx, call, type, within(ctx))
  const newBelow = (ctx: Context, body: object) => {
    const field = type.fields.get(createdWith ?? '')
    if (!field) throw new NotFound()
    return { item: { id: null, ...placedBelow(body, field, ctx.state.itsm.id) } }
  }
  // An owner that the caller cannot see is an unknown path, not an invalid field.
  const seeOwner = (ctx: Context, call: Call) => operations.read(call, owner.name, ctx.state.itsm.id)
  const location = `/${type.path}`
  const create = creating(
    deps,
    type,
    async (ctx, call) => {
      await seeOwner(ctx, call)
      return { ...newBelow(ctx, ctx.state.itsm.body), location }
    },
    { asked: (body, ctx) => newBelow(ctx, body), location: () => location, check: seeOwner },
  )
  const { one, all } = linkedWith === null ? { one: {}, all: {} } : linkingRuns(deps, owner, path, type)
  return {
    all: verbs(type.name, { GET: list, ...(createdWith === null ? {} : { POST: create }), ...all }, 'collection'),
    one: verbs(type.name, one, 'link'),
    lists: withNew(createdWith !== null, newFormBelow(deps, owner, type), [...listsOf(LISTED, deps, type, within)]),
  }
}

/** `/people/3/sla_coverages`: records that cover a person (behaviour: People). */
export function coverageRoutes(deps: RecordDeps, owner: RecordType, path: string, record: string): Branch {
  const type = deps.catalog.type(record)
  const within = withinOf(owner, path)
  return {
    all: verbs(type.name, { GET: (ctx, call) => answerList(deps, ctx, call, type, within(ctx)) }, 'collection'),
    one: new Map(),
    lists: listsOf(LISTED, deps, type, within),
  }
}

const LISTED: ReadonlySet<Operation> = new Set(['list'])

/** The owner in the path of a request. */
function ownerAs({ name }: RecordType): (ctx: Context) => Owner {
  return (ctx) => ({ type: name, id: ctx.state.itsm.id })
}

/** The list below the owner in the path of a request. */
function withinOf(owner: RecordType, path: string): (ctx: Context) => { readonly within: Owner & { readonly path: string } } {
  const ownerOf = ownerAs(owner)
  return (ctx) => ({ within: { ...ownerOf(ctx), path } })
}

function listsOf(
  operations: ReadonlySet<Operation>,
  deps: RecordDeps,
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
        run: (ctx, call) => answerList(deps, ctx, call, type, { list, ...within(ctx) }),
      },
    ]),
  )
}

/** The lists, and `new` if records can be created and no list has that name. */
function withNew(
  creates: boolean,
  route: Route | null,
  lists: readonly (readonly [name: string, Route])[],
): ReadonlyMap<string, Route> {
  return new Map(creates && route ? [['new', route], ...lists] : lists)
}

/** `counts`, if records of the type are counted. */
function countsOf({ counting }: RecordDeps, type: RecordType): readonly (readonly [name: string, Route])[] {
  if (type.collection.countable.size === 0 || !type.operations.has('list')) return []
  const run: Run = async (ctx, call) => {
    const { handling, parameters } = ctx.state.itsm
    answerJson(ctx, 200, await counting.countBy(call, type.name, { handling, parameters }))
  }
  return [['counts', { type: type.name, parameters: 'list', run }]]
}

/** `new` below an owner, which the caller must see. */
function newFormBelow(deps: RecordDeps, owner: RecordType, type: RecordType): Route | null {
  return newRecordRoute(deps, type, (ctx, call) => deps.operations.read(call, owner.name, ctx.state.itsm.id))
}

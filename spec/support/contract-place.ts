/** URLs of records of a type, and samples for the generated suite: from the catalog and the fixtures, without type names. */
import { expect } from 'chai'
import type { Catalog, RecordField, RecordType } from '../../plugin/schema/catalog.js'
import type { Operation } from '../../plugin/schema/language/define-record.js'
import { isOwnerType } from '../../plugin/schema/language/derived.js'
import type { Body, RecordFixture } from '../../plugin/testing/index.js'
import { withNames } from '../../plugin/testing/names.js'
import { isAgain } from './database.js'
import type { Mounted, Reply } from './mounted.js'

export type Made = Readonly<Record<string, unknown>>

/** A collection of a type: at its own URL, or below an owner. */
export interface Place {
  readonly title: string
  readonly type: RecordType
  readonly operations: ReadonlySet<Operation>
  /** True if the records are sub-records, and the place is below their owner. */
  readonly isNested: boolean
  /** True if the collection is restricted to one record, as owner of sub-records or as parent. */
  readonly isBelow: boolean
  /** For records that are not sub-records: the field that refers to the owner. */
  readonly by?: string
  /** URL of the collection; below a new record each time. */
  address(): Promise<string>
  /** URL of one record, created at that URL of the collection. */
  single(address: string, id: unknown): string
}

export interface ContractDeps {
  readonly mounted: Mounted
  readonly catalog: Catalog
  readonly fixtures: ReadonlyMap<string, RecordFixture>
}

export interface Maker {
  /** Name of the person who creates records of the type. */
  maker(type: RecordType): string
  /** A body of the fixtures, ready to be sent: names replaced, unique values not used before. */
  body(type: RecordType, name: string): Record<string, unknown>
  /** A body with names replaced. */
  named(body: object): object
  /** Posts a body and expects the record. */
  create(type: RecordType, address: string, body: object): Promise<Made>
  /** Posts a body, whatever the response is. */
  post(type: RecordType, address: string, body: object): Promise<Reply>
  /** Fills a collection with a few different records. */
  fill(place: Place, address: string): Promise<void>
  /** All records of a list, page by page; the query is appended to the URL unchanged. */
  list(type: RecordType, address: string, query?: string): Promise<readonly Made[]>
}

/** The person who creates a record may have another language. */
const IN_ENGLISH = { 'X-SVC-Language': 'en-US' }

/** The places of a type. */
export function placesOf(type: RecordType, deps: ContractDeps, maker: Maker): readonly Place[] {
  const below = deps.fixtures.get(type.name)?.below
  const owner = below === undefined ? null : deps.catalog.type(below)
  const addressBelow = (path: string) => async () => {
    if (!owner) throw new Error(`fixtures/records/${type.name}.json does not say below what`)
    const [place] = placesOf(owner, deps, maker).toSorted((one, other) => rank(other) - rank(one))
    if (!place) throw new Error(`${owner.name} is nowhere to be reached`)
    const made = await maker.create(owner, await place.address(), maker.body(owner, 'minimal'))
    return `/${owner.path}/${made['id']}/${path}`
  }
  const own: Place = {
    title: `/${type.path}`,
    type,
    operations: type.operations,
    isNested: false,
    isBelow: false,
    address: async () => `/${type.path}`,
    single: (_, id) => `/${type.path}/${id}`,
  }
  const partPath = owner ? [...owner.parts].find(([, part]) => part === type.name)?.[0] : undefined
  const asPart: readonly Place[] =
    owner && partPath
      ? [
          {
            title: `/${owner.path}/:id/${partPath}`,
            type,
            operations: type.nested,
            isNested: true,
            isBelow: true,
            address: addressBelow(partPath),
            single: (address, id) => `${address}/${id}`,
          },
        ]
      : []
  // Records without their own create are created below the record that they need, as tasks of a change.
  const children = owner ? [...owner.children].filter(([, { record }]) => record === type.name) : []
  const asChild = children.flatMap(([path, { createdWith }]): Place | readonly [] =>
    createdWith === null
      ? []
      : {
          ...own,
          by: createdWith,
          title: `/${owner?.path}/:id/${path}`,
          operations: new Set([...type.operations, 'create']),
          isBelow: true,
          address: addressBelow(path),
        },
  )
  return [...(type.operations.size > 0 ? [own] : []), ...asPart, ...asChild]
}

/** Places that allow creation come first. */
function rank({ operations }: Place): number {
  return operations.has('create') ? 1 : 0
}

export function createMaker({ mounted, catalog, fixtures }: ContractDeps): Maker {
  let count = 0
  const fixtureOf = (type: RecordType): RecordFixture => {
    const fixture = fixtures.get(type.name)
    if (!fixture) throw new Error(`fixtures/records/${type.name}.json is missing`)
    return fixture
  }
  const bodyNamed = (type: RecordType, name: string): Body => {
    const found = fixtureOf(type).bodies[name]
    if (!found) throw new Error(`fixtures/records/${type.name}.json has no body '${name}'`)
    const { $like, ...rest } = found as { $like?: string }
    const [other = '', start = ''] = String($like ?? '').split('.')
    return $like ? { ...bodyNamed(catalog.type(other), start), ...rest } : rest
  }
  const maker: Maker = {
    maker: (type) => fixtureOf(type).as ?? '@owen',
    body(type, name) {
      count += 1
      const body = withNames(bodyNamed(type, name), mounted.world.id) as Record<string, unknown>
      return withUnique(type, body, count, fixtureOf(type).distinct)
    },
    named: (body) => withNames(body, mounted.world.id) as object,
    async create(type, address, body) {
      const answer = await maker.post(type, address, body)
      expect(answer.status, answer.text).to.equal(201)
      return answer.json as Made
    },
    post: (type, address, body) => mounted.ask(maker.maker(type), 'POST', address, body, IN_ENGLISH),
    async fill({ type, operations, isNested }, address) {
      const { bodies, list = ['minimal', 'full', 'minimal'] } = fixtureOf(type)
      if (operations.has('create') && Object.keys(bodies).length > 0) {
        for (const name of list) await maker.create(type, address, maker.body(type, name))
      } else if (isNested) {
        // Records that follow from changes of their owner, such as its audit lines.
        const owner = catalog.type(fixtureOf(type).below ?? '')
        const change = fixtureOf(owner).changes?.['update'] ?? {}
        const body = withNames(change, mounted.world.id) as object
        const changed = await mounted.ask(maker.maker(owner), 'PATCH', address.replace(/\/[^/]+$/, ''), body)
        expect(changed.status, changed.text).to.equal(200)
      }
    },
    async list(type, address, query = '') {
      const records: Made[] = []
      for (let page = 1; ; page += 1) {
        const parameters = `page=${page}&per_page=100${query === '' ? '' : `&${query}`}`
        const answer = await mounted.ask(maker.maker(type), 'GET', `${address}?${parameters}`)
        expect(answer.status, `${query}: ${answer.text}`).to.equal(200)
        records.push(...(answer.json as Made[]))
        if (page >= Number(answer.headers['x-pagination-total-pages'])) return records
      }
    },
  }
  return maker
}

/** All of these fields; one of each kind where another pass of the run tries all of them on its database. */
export function tried<F extends Pick<RecordField, 'format' | 'kind' | 'shownAs'>>(fields: readonly F[]): readonly F[] {
  if (!isAgain()) return fields
  const kinds = new Map(
    fields.toReversed().map((field) => [`${field.kind} ${field.format} ${field.shownAs !== undefined}`, field]),
  )
  return [...kinds.values()].reverse()
}

/** Fields whose values must be unique get a number each. */
function withUnique(
  type: RecordType,
  body: Record<string, unknown>,
  number: number,
  distinct: readonly string[] = [],
): Record<string, unknown> {
  const changed = { ...body }
  for (const group of [...type.unique, ...distinct.map((name) => [name])]) {
    const last = group.at(-1) ?? ''
    const value = changed[last]
    if (typeof value !== 'string' || !group.every((column) => column in changed)) continue
    const { max = 255, format } = type.columns.get(last) ?? {}
    // A language cannot be invented: fixtures name several bodies instead.
    if (format === 'locale') continue
    const more = format === 'email' ? '' : ` ${number}`
    changed[last] = format === 'email' ? `n${number}.${value}` : value.slice(0, max - more.length) + more
  }
  return changed
}

/** The name of the field that an attribute of a response shows; null if it shows none. */
export function fieldShownAs(type: RecordType, attribute: string): string | null {
  if (type.fields.has(attribute)) return attribute
  for (const field of type.fields.values()) {
    if (field.keyedBy && type.fields.get(field.keyedBy)?.values?.includes(attribute)) return field.name
    if (field.kind === 'owner' && type.partOf.includes(attribute)) return field.name
  }
  return null
}

/** The value of a field in a response, under any of its names. */
export function shownValue(type: RecordType, field: RecordField, record: Made): unknown {
  const attribute = Object.keys(record).find((one) => fieldShownAs(type, one) === field.name)
  return attribute === undefined ? undefined : record[attribute]
}

/** True if responses at the place show the field. */
export function isShownAt({ isNested }: Pick<Place, 'isNested'>, field: RecordField): boolean {
  return !field.writeOnly && !field.hidden && !(isNested && (field.kind === 'owner' || isOwnerType(field)))
}

/** True if callers may send the field. */
export function isWritable(field: RecordField): boolean {
  return !field.readOnly && field.kind !== 'owner'
}

/** The name under which a field is sent. */
export function inputName(type: RecordType, field: RecordField): string {
  if (field.kind !== 'refs') return field.kind === 'ref' ? `${field.name}_id` : field.name
  return `${type.links.get(field.name)?.singular ?? field.name.replace(/s$/, '')}_ids`
}

/** The field that a name in a body means. */
export function fieldSentAs(type: RecordType, name: string): string {
  const field = name.replace(/_id$/, '')
  return type.fields.get(field)?.kind === 'ref' ? field : name
}

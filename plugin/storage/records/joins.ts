/** The tables of one statement: that of a record type, and those joined because a path leads to them. */
import type { Catalog, RecordField, RecordType } from '../../schema/catalog.js'
import type { Slot } from '../../schema/derive/shape.js'
import { sourceOf } from '../../schema/language/derived.js'
import type { Storage } from '../database/connections.js'

/** The end of a path. */
export interface Place {
  readonly alias: string
  readonly type: RecordType
  /** The last step: a field, or a column that is not a field. */
  readonly name: string
  readonly field: RecordField | undefined
  /** Null when the field has no column because its record type is absent: its value is always null then. */
  readonly column: string | null
}

/** A path that leads to sub-records, split into the references to their owner, their type, and the rest. */
export interface PathToParts {
  readonly refs: Slot
  readonly part: RecordType
  readonly rest: Slot
}

/** Follows references, one join each; a reference used twice is joined once. */
export class Joins {
  /** Values of the joins, in order. */
  readonly bindings: string[] = []
  private readonly aliases = new Map<string, string>()
  private readonly storage: Storage
  private readonly catalog: Catalog
  private readonly type: RecordType
  private readonly root: string
  private joined = ''

  constructor(storage: Storage, catalog: Catalog, type: RecordType, root: string) {
    this.storage = storage
    this.catalog = catalog
    this.type = type
    this.root = root
  }

  /** The table of the record type alone. */
  get own(): string {
    return ` FROM ${this.table(this.type)} ${this.root}`
  }

  get from(): string {
    return this.own + this.joined
  }

  /** The end of a path over references. */
  find(path: Slot): Place {
    const steps = this.stored(path)
    const [alias, type] = this.walk(steps.slice(0, -1))
    const name = steps[steps.length - 1] ?? 'id'
    return { alias, type, name, field: type.fields.get(name), column: columnName(type, name) }
  }

  /** The alias and the type at the end of a path that consists of references only. */
  walk(path: Slot): readonly [alias: string, type: RecordType] {
    let [alias, type] = [this.root, this.type]
    let key = ''
    for (const step of this.stored(path)) {
      const field = type.fields.get(step)
      if (!field?.column || !field.record) throw new Error(`'${path.join('.')}': ${type.name} has no reference '${step}'`)
      key = `${key}.${step}`
      const [from, column, target] = [alias, field.column, this.catalog.type(field.record)]
      alias = this.join(key, target, (next) => `${next}.\`id\` = ${from}.${quote(column)}`)
      type = target
    }
    return [alias, type]
  }

  /** Joins the translation of a record into a language. It has at most one, so the number of rows stays the same. */
  translation({ alias, type }: Place, record: string, language: string): string {
    return this.join(`${alias} ${language}`, this.catalog.type(record), (next) => {
      this.bindings.push(type.name, language)
      return `${next}.\`owner_type\` = ? AND ${next}.\`owner_id\` = ${alias}.\`id\` AND ${next}.\`locale\` = ?`
    })
  }

  /** The parts of a path through sub-records; null for other paths. */
  toParts(path: Slot): PathToParts | null {
    let { type } = this
    for (const [index, step] of path.slice(0, -1).entries()) {
      const field = type.fields.get(step)
      const part = field?.kind === 'ref' ? undefined : type.parts.get(step)
      if (part) return { refs: path.slice(0, index), part: this.catalog.type(part), rest: path.slice(index + 1) }
      type = this.catalog.type(field?.record ?? '')
    }
    return null
  }

  /** The path with fields that are not stored replaced by the paths to their values. */
  private stored(path: Slot): Slot {
    let type: RecordType | undefined = this.type
    return path.flatMap((step) => {
      const field: RecordField | undefined = type?.fields.get(step)
      type = this.catalog.types.get(field?.record ?? '')
      return field?.via ?? [step]
    })
  }

  private join(key: string, target: RecordType, on: (alias: string) => string): string {
    const known = this.aliases.get(key)
    if (known) return known
    const alias = `${this.root}${this.aliases.size}`
    this.aliases.set(key, alias)
    this.joined += ` LEFT JOIN ${this.table(target)} ${alias} ON ${on(alias)}`
    return alias
  }

  private table({ table }: RecordType): string {
    return quote(this.storage.table(table))
  }
}

function columnName(type: RecordType, name: string): string | null {
  if (name === 'account') return 'account_id'
  const field = type.fields.get(name)
  const other = field && sourceOf(field)
  if (other !== undefined) return columnName(type, other)
  return field ? field.column : name
}

/** A name in SQL. */
export function quote(name: string): string {
  return `\`${name.replace(/`/g, '')}\``
}

/** The column of a place in SQL. */
export function columnAt({ alias, column }: Pick<Place, 'alias' | 'column'>): string {
  return column === null ? 'NULL' : `${alias}.${quote(column)}`
}

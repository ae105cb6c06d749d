/** What a row of the table of options holds, and the types that follow from rows. */
import type { Log } from '../core/log.js'

/** What values are at all: what `typeof` says, an array, or a group of options, which is a plain object. */
type Sort = 'string' | 'boolean' | 'number' | 'object' | 'group' | 'array' | 'function'
export type Kind = Sort | `${Sort} or ${Sort}`

/** The option of one row. `Given` is the type in the options of a host, `Filled` the type after defaults are filled in. */
export interface Option<Given, Filled = Given | undefined, Needed extends boolean = boolean> {
  readonly kind: Kind
  /** For types and the reference. The check tells hosts without types. */
  readonly required: Needed
  /** A constant, or a value that follows from other options. */
  readonly default?: Filled | ((earlier: Earlier) => Filled)
  readonly unit?: 'ms' | 'bytes'
  readonly check?: Check
  /** The options within a group. */
  readonly rows?: Rows
  /** When the options within the group get their defaults; never, if this is not set. */
  readonly filled?: 'always' | 'if given'
  /** Only for inference. */
  readonly value?: Given
}

export type Rows = { readonly [name: string]: Option<unknown, unknown> }

/**
 * Returns the mistakes in a value, each with the path of the option. The value is unknown: it may be of a wrong kind, which is
 * reported beside this, or undefined.
 */
export type Check = (value: unknown, path: string, options: { readonly [name: string]: unknown }) => readonly string[]

/** What defaults may follow from. The rows of these options come first. */
export interface Earlier {
  readonly baseUrl: string
  readonly log: Log
  readonly timeouts: { readonly callMs: number }
}

/**
 * The options of rows, as hosts write them. Each has the docstring of its row, because the types are mapped over names of rows.
 */
export type GivenOptions<R> = Needed<R, NeededIn<R>> & Optional<R, Exclude<keyof R, NeededIn<R>>> extends infer Both
  ? { [Name in keyof Both]: Both[Name] }
  : never

/** The options of rows, with defaults. */
export type FilledOptions<R> = { readonly [Name in keyof R]: R[Name] extends Option<unknown, infer Filled> ? Filled : never }

type NeededIn<R> = { [Name in keyof R]: R[Name] extends Option<unknown, unknown, true> ? Name : never }[keyof R]
type Needed<R, Names extends keyof R> = { readonly [Name in Names]: GivenValue<R[Name]> }
type Optional<R, Names extends keyof R> = { readonly [Name in Names]?: GivenValue<R[Name]> }
type GivenValue<O> = O extends Option<infer Given, unknown> ? Given : never

/**
 * What a page of a host gets in the browser: types alone, for its author (option `console.pages`). The kit has a version; what is here
 * stays as it is in that version, and more may come to it.
 */

/** What a component returns: an element of `h`, a text, a list of them, or nothing. */
export type ConsoleNode = object | string | number | boolean | null | undefined

/** A function that shows something, again whenever its properties or its state change. */
export type ConsoleComponent<Props extends object = object> = (props: Props) => ConsoleNode

/** A record as the API shows it. */
export type ConsoleRecord = Readonly<Record<string, unknown>>

/** What a page is made with. */
export interface ConsoleKit {
  /** 1. */
  readonly version: 1
  /** Makes an element: `h('p', { class: 'help' }, 'Nothing yet')`. Texts stay texts: a string never becomes an element. */
  h(type: string | ConsoleComponent<never>, props: object | null, ...children: readonly ConsoleNode[]): ConsoleNode
  /** State of a component: its value, and a function that sets it. */
  useState<T>(first: T): readonly [value: T, set: (value: T) => void]
  /** Does something beside the page, when one of the values has changed; what it returns undoes it. */
  useEffect(work: () => (() => void) | undefined, values: readonly unknown[]): void
  /**
   * Loads data, again whenever the key changes and after each call that saves something, so it must only read. What arrives too
   * late is dropped.
   */
  useLoaded<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): ConsoleLoaded<T>
  /** Calls the API as the person who has signed in: with their session, language and account, and asks to sign in again after 401. */
  readonly api: ConsoleApi
  /** The record types of the desk, in the language of the person, as `GET /catalog` has them. */
  readonly catalog: {
    /** As `types` of the answer. */
    readonly types: readonly ConsoleRecord[]
  }
  /** The person who has signed in. */
  readonly me: {
    /** Of the record of the person. */
    readonly id: number
    /** The name of the person. */
    readonly name: string
  }
  /** The language of the person: `nl`. */
  readonly language: string
  /** Writes points in time, days and numbers as the person reads them. */
  readonly format: {
    /** A point in time: `2026-11-27T10:00:00Z`. */
    time(moment: string): string
    /** A day: `2026-11-27`. */
    date(day: string): string
    /** A number. */
    number(value: number): string
  }
  /** Goes to a page of the console: `/vehicles/3`. */
  go(path: string): void
  /** Tells the person something for a while, a screen reader included. */
  say(text: string): void
  /** Parts of the pages of the plugin. */
  readonly components: ConsoleComponents
}

/** Parts of the pages of the plugin. */
export interface ConsoleComponents {
  /** A link to a page of the console. */
  readonly Link: ConsoleComponent<{
    /** The path of the page: `/vehicles/3`. */
    to: string
    /** Classes of the element. */
    class?: string
    /** What the link is made of. */
    children?: ConsoleNode
  }>
  /** Records of a type as a table, on a phone as cards. */
  readonly RecordTable: ConsoleComponent<{
    /** The name of the type: `vehicle`. */
    type: string
    /** Names of fields. */
    columns: readonly string[]
    /** As lists of the API show them. */
    records: readonly ConsoleRecord[]
  }>
  /** Says that data is on its way. */
  readonly Loading: ConsoleComponent
  /** Explains an error, and offers another attempt. */
  readonly Problem: ConsoleComponent<{
    /** What was thrown. */
    error: unknown
    /** Tries again; without it, nothing is offered. */
    retry?: () => void
  }>
  /** Says that there is nothing, and what to do. */
  readonly Empty: ConsoleComponent<{
    /** The text. */
    children?: ConsoleNode
  }>
}

/** Data that is loaded. */
export interface ConsoleLoaded<T> {
  /** Undefined until it has arrived. */
  readonly data?: T
  /** Why it has not arrived. */
  readonly error?: unknown
  /** True while it is on its way. */
  readonly isLoading: boolean
  /** Loads it again. */
  readonly reload: () => void
}

/** The API for a page. */
export interface ConsoleApi {
  /** The data of a GET: `api.get('/vehicles?fields=plate')`. Rejects with an error that `Problem` explains. */
  get<T = ConsoleRecord>(path: string, signal?: AbortSignal): Promise<T>
  /** Any call. Give POST an `Idempotency-Key`, and PATCH and DELETE an `If-Match`. */
  call<T = ConsoleRecord>(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Readonly<Record<string, string>>; signal?: AbortSignal },
  ): Promise<{ readonly status: number; readonly data: T; readonly headers: Headers }>
}

/** What the module of a page exports as its default: it gets the kit, and returns the component that is the page. */
export type ConsoleModule = (kit: ConsoleKit) => ConsoleComponent

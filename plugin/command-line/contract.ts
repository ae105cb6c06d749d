/** What the parts of the command line hand to each other. Types only. */
import type { Client } from './client.js'
import type { Output, Screen } from './screen.js'

/** The surroundings of the command. */
export interface Surroundings {
  readonly env: { readonly [name: string]: string | undefined }
  /** The current folder, and that of the person. Both may have a file with settings. */
  readonly folder: string
  readonly home: string
  readonly out: Output
  readonly err: Output
  /** Does work that Ctrl-C ends in an orderly way: the first one aborts the signal, the second one ends the process. */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Asks for a password, which a terminal does not show; without a terminal it is the first line of the input. */
  readPassword(question: string): Promise<string>
}

/** Values of options, as they were given. */
export type Given = { readonly [option: string]: string | boolean | readonly (string | boolean)[] | undefined }

/** What a command works with. */
export interface Work {
  readonly screen: Screen
  readonly surroundings: Surroundings
  readonly given: Given
  /** What is no option. */
  readonly names: readonly string[]
}

/** What a command works with that calls the API. */
export interface ApiWork extends Work {
  readonly client: Client
}

/** 0: all is well. 1: some rows failed, or tables differ. 2: it could not be done. 130: Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130

/** An option, as `parseArgs` of Node.js reads it. */
export interface Option {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: true
  /** What its value is called in the help. */
  readonly value?: string
  readonly about: string
}

/** Options by name. */
export type Options = { readonly [name: string]: Option }

export interface Command {
  /** What follows the name in the help. */
  readonly usage: string
  readonly about: string
  /** What the help says below the options, line by line. */
  readonly notes?: readonly string[]
  readonly examples: readonly string[]
  readonly options: Options
  run(work: Work): Promise<ExitCode>
}

/** What the parts of the command line hand to each other. Types only. */
import type { Client } from './client.js'
import type { Screen } from './screen.js'

/** The surroundings of the command. */
export interface Surroundings {
  readonly env: { readonly [name: string]: string | undefined }
  /** Folders that may have a file with settings; the first one that has it counts. */
  readonly folders: readonly string[]
  readonly out: Output
  readonly err: Output
}

/** A stream of the process. */
export interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Values of options, as they were given. */
export type Given = { readonly [option: string]: string | boolean | readonly (string | boolean)[] | undefined }

/** What a command works with. */
export interface Work {
  readonly client: Client
  readonly screen: Screen
  readonly given: Given
  /** What is no option. */
  readonly names: readonly string[]
}

/** 0: all is well. 1: some rows failed. 2: it could not be done. */
export type ExitCode = 0 | 1 | 2

/** An option, as `parseArgs` of Node.js reads it. */
export interface Option {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: true
  /** What its value is called in the help. */
  readonly value?: string
  readonly about: string
}

export interface Command {
  /** What follows the name in the help. */
  readonly usage: string
  readonly about: string
  readonly examples: readonly string[]
  readonly options: { readonly [name: string]: Option }
  run(work: Work): Promise<ExitCode>
}

/** A mistake of the person at the terminal. */
export class UsageError extends Error {}

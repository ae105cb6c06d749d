/** All options, in the order in which their mistakes are told and the reference lists them. */
import type { FilledOptions, GivenOptions } from './option.js'
import { CALLS } from './rows/calls.js'
import { EVENTS } from './rows/events.js'
import { FILES } from './rows/files.js'
import { HOOKS } from './rows/hooks.js'
import { LIMITS } from './rows/limits.js'
import { PAGES } from './rows/pages.js'
import { STORES } from './rows/stores.js'
import { SURROUNDINGS } from './rows/surroundings.js'
import { WATCHING } from './rows/watching.js'

export const OPTIONS = {
  ...CALLS,
  ...PAGES,
  ...STORES,
  ...LIMITS,
  ...FILES,
  ...EVENTS,
  ...SURROUNDINGS,
  ...WATCHING,
  ...HOOKS,
}

/** Options of `createPlugin`. */
export interface PluginOptions
  extends GivenOptions<typeof CALLS>,
    GivenOptions<typeof PAGES>,
    GivenOptions<typeof STORES>,
    GivenOptions<typeof LIMITS>,
    GivenOptions<typeof FILES>,
    GivenOptions<typeof EVENTS>,
    GivenOptions<typeof SURROUNDINGS>,
    GivenOptions<typeof WATCHING>,
    GivenOptions<typeof HOOKS> {}

/** The options with their defaults. */
export type Filled = FilledOptions<typeof OPTIONS>

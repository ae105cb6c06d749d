/** Settings for specs: those of a host that gives what `createPlugin` requires, and what the spec says. Nothing is opened. */
import type { PluginOptions } from '../../plugin/options.js'
import { readOptions, type Settings } from '../../plugin/settings.js'

export const TEST_SECRET = 'a secret for specs that is long enough to be taken'

/** Faults of the interface come out as failed specs; the log would only repeat them. */
export const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

export function settingsWith(options: Partial<PluginOptions> = {}): Settings {
  return readOptions({
    baseUrl: 'https://desk.example/v1',
    secret: TEST_SECRET,
    database: { url: 'sqlite::memory:' },
    log: silent,
    ...options,
  })
}

function nothing(): void {}

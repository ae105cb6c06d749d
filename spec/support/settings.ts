/**
 * Settings for specs: those of a host with the required options of `createPlugin`, and those of the spec. Nothing is opened.
 */
import { type PluginOptions, readOptions, type Settings } from '../../plugin/options/options.js'

export const TEST_SECRET = 'a secret for specs that is long enough to be taken'

/** Faults of the API fail specs; the log would only repeat them. */
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

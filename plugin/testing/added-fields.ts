import type { PluginOptions } from '../options/options.js'

/** Names that extensions add to responses, which cases of the package do not expect: fields, links and sub-records. */
export function addedFields({ extend = [] }: Pick<Partial<PluginOptions>, 'extend'>): ReadonlySet<string> {
  return new Set(
    extend.flatMap(({ fields = {}, links = {}, parts = [] }) => [...Object.keys(fields), ...Object.keys(links), ...parts]),
  )
}

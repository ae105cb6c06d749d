/** Steps that change inputs of stored values. */
import type { Place } from './derived-place.js'

export type Step = () => Promise<unknown>

/** Steps that set a field of a record to some values in turn. */
type Setting = (type: string, name: string, field: string, ...values: readonly unknown[]) => readonly Step[]

export function settingIn({ change }: Place): Setting {
  return (type, name, field, ...values) => values.map((value) => () => change(type, name, { [field]: value }))
}

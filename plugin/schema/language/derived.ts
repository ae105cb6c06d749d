/** Readers of the sources of derived fields (`Derived` in `field.ts`), for definitions and the catalog. */
import type { Field } from './field.js'

type MayBeDerived = Pick<Field, 'derived'>

/** The field of the same record whose value or translation the field shows; undefined if there is none. */
export function sourceOf({ derived }: MayBeDerived): string | undefined {
  return derived && derived.as !== 'download' && !isPath(derived.from) ? derived.from : undefined
}

/** The field of the same record whose translation the field shows; undefined if there is none. */
export function originalOf({ derived }: MayBeDerived): string | undefined {
  return derived?.as === 'translation' ? derived.from : undefined
}

/** The field of the same record with the key of the file whose URL the field shows; undefined if there is none. */
export function fileKeyOf({ derived }: MayBeDerived): string | undefined {
  return derived?.as === 'download' ? derived.from : undefined
}

/** The path over references to the value of the field; undefined if there is none. */
export function pathOf({ derived }: MayBeDerived): readonly string[] | undefined {
  return derived?.as === 'value' && isPath(derived.from) ? derived.from.split('.') : undefined
}

/** True for the field of a sub-record that shows the type of its owner. */
export function isOwnerType(field: MayBeDerived): boolean {
  return sourceOf(field) === 'owner_type'
}

function isPath(from: string): boolean {
  return from.includes('.')
}

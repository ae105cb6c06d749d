/** Values of a form: a text, or an object for names such as `payload[team][id]`. */
export type FormValue = string | { readonly [name: string]: FormValue }

/** A form while it is read. A map has no names of its own, such as `constructor`. */
type Branch = Map<string, string | Branch>

/** Maximum number of names within each other; a longer name is taken as it is. */
const MAX_DEPTH = 16

/** Parses a form with nested names. Of two values of one name, the last counts. */
export function parseForm(text: string): { readonly [name: string]: FormValue } {
  const form: Branch = new Map()
  for (const [name, value] of new URLSearchParams(text)) {
    const names = namesIn(name)
    const last = names.pop() ?? name
    let branch = form
    for (const one of names) {
      const known = branch.get(one)
      const below: Branch = known instanceof Map ? known : new Map()
      branch.set(one, below)
      branch = below
    }
    branch.set(last, value)
  }
  return objectOf(form)
}

/** `payload[team][id]` is `payload`, `team`, `id`; a name with other brackets is one name. */
function namesIn(name: string): string[] {
  const open = name.indexOf('[')
  if (open < 1 || !name.endsWith(']')) return [name]
  const names = [name.slice(0, open), ...name.slice(open + 1, -1).split('][')]
  return names.length > MAX_DEPTH || names.some((one) => one === '' || /[[\]]/.test(one)) ? [name] : names
}

function objectOf(branch: Branch): { readonly [name: string]: FormValue } {
  // Names such as __proto__ become properties like any other.
  return Object.fromEntries([...branch].map(([name, value]) => [name, value instanceof Map ? objectOf(value) : value]))
}

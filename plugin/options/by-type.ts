/** Hooks that hosts give as one function for all record types, or as one for each. */

/** A hook: it gets a question about records of a type, and `decide()`, which returns the decision of the plugin. */
type Hook<Question, Decision, Answer> = (question: Question, decide: () => Decision) => Answer | Promise<Answer>

/** One function for all record types, or functions by record type; types without one are left to the plugin. */
export type ByType<Function> = Function | { readonly [type: string]: Function }

/** The hook for all record types; undefined if the host has none. */
export function hookOf<Question extends { readonly type: string }, Decision extends Answer, Answer>(
  given: ByType<Hook<Question, Decision, Answer>> | undefined,
): Hook<Question, Decision, Answer> | undefined {
  if (given === undefined || typeof given === 'function') return given
  const hooks = new Map(Object.entries(given))
  if (hooks.size === 0) return undefined
  return (question, decide) => hooks.get(question.type)?.(question, decide) ?? decide()
}

/** The record types for which a host has given functions. */
export function typesOf(given: ByType<unknown> | undefined): readonly string[] {
  return typeof given === 'object' && given !== null ? Object.keys(given) : []
}

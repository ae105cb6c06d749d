import type { Context } from './state.js'

/** Sets headers like `ctx.set`, which goes a longer way for each of them. Does nothing once the response is under way. */
export function setHeaders({ res }: Context, headers: Readonly<Record<string, string>>): void {
  if (res.headersSent) return
  for (const name of Object.keys(headers)) res.setHeader(name, headers[name] ?? '')
}

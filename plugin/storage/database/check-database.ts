/** Finds mistakes in the address of a database and in the sizes of its pool, before these report them in their own words. */
import { suggestion } from '../../core/text/nearest.js'

const SIZES = ['min', 'max']
/** The default of connections.ts. */
const DEFAULT_MAX = 10

/** Returns the mistakes in `database.url`. Without a database in it, the server would refuse the first statement. */
export function mistakesInUrl(url: unknown): readonly string[] {
  if (typeof url !== 'string' || !/^(mysql|mariadb):/.test(url) || !URL.canParse(url)) return []
  const { hostname, pathname } = new URL(url)
  return hostname !== '' && pathname.length > 1
    ? []
    : ["database.url: must look like 'mysql://user:password@host:port/database'"]
}

/** Returns the mistakes in `database.pool`. */
export function mistakesInPool(pool: unknown): readonly string[] {
  if (typeof pool !== 'object' || pool === null) return []
  const mistakes = Object.entries(pool).flatMap(([name, size]: readonly [string, unknown]) => {
    if (!SIZES.includes(name)) return [`database.pool.${name}: there is no such option${suggestion(name, SIZES)}`]
    const least = name === 'max' ? 1 : 0
    const isSize = size === undefined || (Number.isSafeInteger(size) && Number(size) >= least)
    return isSize ? [] : [`database.pool.${name}: must be a whole number of connections, ${least} or more`]
  })
  const { min = 0, max = DEFAULT_MAX } = pool as { readonly min?: number; readonly max?: number }
  const isMore = mistakes.length === 0 && min > max
  return isMore ? [`database.pool.min: must be at most max, which is ${max}, not ${min}`] : mistakes
}

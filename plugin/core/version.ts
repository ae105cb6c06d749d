/** The version of the package, as its package.json says. */
export const VERSION = '0.9.0'

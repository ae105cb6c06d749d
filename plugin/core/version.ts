/** The version of the package, as its package.json says. */
export const VERSION = '0.7.0'

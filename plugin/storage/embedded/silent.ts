import type { Knex } from 'knex'

/** Stops knex from printing to the console what it also throws as an error. */
export const SILENT: Knex.Logger = { warn() {}, error() {}, deprecate() {}, debug() {} }

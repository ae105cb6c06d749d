import type { Knex } from 'knex'

/** Keeps knex from printing to the console what arrives as an error as well. */
export const SILENT: Knex.Logger = { warn() {}, error() {}, deprecate() {}, debug() {} }

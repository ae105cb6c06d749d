#!/usr/bin/env node
/** The command `koa-itsm` (`imports.md`, Command line). */
import { homedir } from 'node:os'
import { run } from './run.js'
import { interruptible, readPassword } from './terminal.js'

// A reader that has seen enough, such as head, is no failure.
process.stdout.on('error', () => process.exit())
process.stderr.on('error', () => process.exit())

const code = await run(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  home: homedir(),
  out: process.stdout,
  err: process.stderr,
  interruptible,
  readPassword,
})
// A pool of the host would keep the process. Both streams first pass on what was written.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))

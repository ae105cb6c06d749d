#!/usr/bin/env node
/** The command `koa-itsm` (README, Command line). */
import { homedir } from 'node:os'
import { run } from './run.js'

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  folders: [process.cwd(), homedir()],
  out: process.stdout,
  err: process.stderr,
})

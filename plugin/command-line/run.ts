/** Reads the arguments of the command, and runs it. */
import { parseArgs } from 'node:util'
import { suggestion } from '../core/text/nearest.js'
import { VERSION } from '../core/version.js'
import { checkCommand } from './check-command.js'
import type { Command, ExitCode, Options, Surroundings } from './contract.js'
import { CallFailed, DatabaseFailed, Interrupted, UsageError } from './errors.js'
import { exportCommand } from './export-command.js'
import { importCommand } from './import-command.js'
import { importsCommand } from './imports-command.js'
import { migrateCommand } from './migrate-command.js'
import { createScreen, tableOf, visible } from './screen.js'
import { tokenCommand } from './token-command.js'

const COMMANDS: { readonly [name: string]: Command } = {
  import: importCommand,
  export: exportCommand,
  imports: importsCommand,
  token: tokenCommand,
  migrate: migrateCommand,
  check: checkCommand,
}

/** Options of all commands. */
const SHARED: Options = {
  json: { type: 'boolean', about: 'one JSON object on each line, for programs' },
  help: { type: 'boolean', short: 'h', about: 'this help' },
}

/**
 * Runs the command. Never throws: whatever goes wrong is a message, without a stack.
 *
 * @param args without those of Node.js
 * @returns the exit code: 1 if rows failed or tables differ, 2 if the command could not be done, 130 after Ctrl-C
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { err, out } = surroundings
  const [name = '', ...rest] = args
  const say = (text: string) => {
    err.write(`${visible(text)}\n`)
  }
  try {
    if (name === '--version' || name === '-v') {
      out.write(`${VERSION}\n`)
      return 0
    }
    if (name === '' || name === 'help' || name === '--help' || name === '-h') {
      out.write(`${rest[0] === undefined ? help() : helpOf(rest[0], commandNamed(rest[0]))}\n`)
      return 0
    }
    const command = commandNamed(name)
    const { positionals, values } = parsed(rest, { ...command.options, ...SHARED })
    if (values['help']) {
      out.write(`${helpOf(name, command)}\n`)
      return 0
    }
    const screen = createScreen(out, err, values['json'] === true)
    return await command.run({ screen, surroundings, given: values, names: positionals })
  } catch (error) {
    if (error instanceof Interrupted) {
      // Begins a line of its own, below the bar.
      say(`${err.isTTY ? '\n' : ''}${error.message}`)
      return 130
    }
    say(error instanceof Error ? error.message : String(error))
    if (error instanceof UsageError) say(`koa-itsm ${Object.hasOwn(COMMANDS, name) ? `${name} --help` : 'help'} says more.`)
    else if (!(error instanceof CallFailed || error instanceof DatabaseFailed)) say('This is unexpected: please report it.')
    return 2
  }
}

/** @throws UsageError */
function commandNamed(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command
  const all = Object.keys(COMMANDS)
  if (name.startsWith('-')) throw new UsageError(`The command comes first: ${all.join(', ')}. Options follow it`)
  throw new UsageError(`There is no command '${name}'${suggestion(name, all)}. The commands are ${all.join(', ')}`)
}

/** @throws UsageError for an option that the command does not have, or that lacks its value */
function parsed(args: readonly string[], given: Options) {
  const options = Object.fromEntries(
    Object.entries(given).map(([name, { multiple = false, short, type }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const { message } = error as Error
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? []
    if (unknown === undefined) throw new UsageError(message)
    throw new UsageError(`There is no option --${unknown}${suggestion(unknown, Object.keys(given))}`)
  }
}

function help(): string {
  const commands = Object.entries(COMMANDS).flatMap(([name, { about, usage }]) => [
    `  koa-itsm ${name} ${usage}`,
    `      ${about}`,
  ])
  return [
    'Imports files into a service desk, exports its records, and takes care of its database.',
    '',
    ...commands,
    '',
    'For a start, with your own address:',
    '',
    '  koa-itsm token create "My laptop" --url https://desk.example.com/v1 --user you@example.com --save',
    '  koa-itsm import people.csv --dry-run',
    '  koa-itsm import people.csv',
    '',
    'koa-itsm help COMMAND explains one of them, and koa-itsm --version tells the version.',
    'Exit codes: 0, 1 if rows failed or tables differ, 2 if it could not be done, 130 after Ctrl-C.',
  ].join('\n')
}

function helpOf(name: string, { about, examples, notes = [], options, usage }: Command): string {
  const rows = Object.entries({ ...options, ...SHARED }).map(([option, { about, short, value }]) => [
    `  ${short === undefined ? '   ' : `-${short},`} --${option}${value === undefined ? '' : ` ${value}`}`,
    about,
  ])
  return [
    about,
    '',
    `Usage: koa-itsm ${name} ${usage}`,
    '',
    tableOf(rows),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
    'Examples:',
    ...examples.map((one) => `  ${one}`),
  ].join('\n')
}

/** Reads the arguments of the command, and runs it. */
import { parseArgs } from 'node:util'
import { CallFailed, createClient } from './client.js'
import { type Command, type ExitCode, type Option, type Surroundings, UsageError } from './contract.js'
import { exportCommand } from './export-command.js'
import { importCommand } from './import-command.js'
import { importsCommand } from './imports-command.js'
import { createScreen, tableOf } from './screen.js'
import { readSettings, SHARED_OPTIONS } from './settings.js'

const COMMANDS: { readonly [name: string]: Command } = {
  import: importCommand,
  export: exportCommand,
  imports: importsCommand,
}

/**
 * Runs the command.
 *
 * @param args without those of Node.js
 * @returns the exit code: 1 if rows failed, 2 if the command could not be done
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { err, out } = surroundings
  const [name = '', ...rest] = args
  if (name === '' || name === 'help' || name.startsWith('-')) {
    const command = COMMANDS[rest[0] ?? '']
    out.write(`${command ? helpOf(rest[0] ?? '', command) : help()}\n`)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  try {
    if (!command) throw new UsageError(`There is no command '${name}'. The commands are ${Object.keys(COMMANDS).join(', ')}`)
    const { positionals, values } = parsed(rest, { ...command.options, ...SHARED_OPTIONS })
    if (values['help']) {
      out.write(`${helpOf(name, command)}\n`)
      return 0
    }
    const client = createClient(readSettings(values, surroundings))
    const screen = createScreen(out, err, values['json'] === true)
    return await command.run({ client, screen, given: values, names: positionals })
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof CallFailed)) throw error
    err.write(`${error.message}\n`)
    if (error instanceof UsageError) err.write(`koa-itsm ${command ? `${name} --help` : 'help'} says more.\n`)
    return 2
  }
}

/** @throws UsageError for an option that the command does not have */
function parsed(args: readonly string[], given: { readonly [name: string]: Option }) {
  const options = Object.fromEntries(
    Object.entries(given).map(([name, { multiple = false, short, type }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { about, usage }]) => [`  koa-itsm ${name} ${usage}`, about])
  return [
    'Imports files into a service desk, and exports its records.',
    '',
    tableOf(rows),
    '',
    'koa-itsm help COMMAND explains one of them. Exit codes: 0, 1 if rows failed, 2 if it could not be done.',
  ].join('\n')
}

function helpOf(name: string, { about, examples, options, usage }: Command): string {
  const rows = Object.entries({ ...options, ...SHARED_OPTIONS }).map(([option, { about, short, value }]) => [
    `  ${short === undefined ? '   ' : `-${short},`} --${option}${value === undefined ? '' : ` ${value}`}`,
    about,
  ])
  return [
    about,
    '',
    `Usage: koa-itsm ${name} ${usage}`,
    '',
    tableOf(rows),
    '',
    'Examples:',
    ...examples.map((one) => `  ${one}`),
  ].join('\n')
}

/** `koa-itsm token`: makes, lists and revokes the personal tokens of a person. */
import { suggestion } from '../core/text/nearest.js'
import type { Client, Credentials } from './client.js'
import type { ApiWork, ExitCode, Work } from './contract.js'
import { CallFailed, UsageError } from './errors.js'
import { tableOf } from './screen.js'
import { type Found, readSettings, saveSettings, tokenOf, withApiOptions, withClient } from './settings.js'

interface Token {
  readonly id: number
  readonly name: string
  readonly read_only: boolean
  readonly record_types: readonly string[] | null
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly created_at: string
}

export const tokenCommand = withApiOptions({
  usage: 'create NAME | list | revoke ID',
  about: 'Makes a personal token for a program, lists those that there are, or revokes one.',
  notes: [
    'A token makes no tokens: --user asks for the password, or reads it as the first line of the input without a terminal.',
    'A new token is shown once. --save stores it instead, with the URL, so that koa-itsm import works at once: in the file of',
    '--config, in .koa-itsm.json here if there is one, or else at home. Only you may read that file.',
    'Account administrators list and revoke the tokens of others with --person, also by a token of their own.',
  ],
  examples: [
    'koa-itsm token create "My laptop" --url https://desk.example.com/v1 --user ines@acme.example --save',
    'koa-itsm token create nightly --user ines@acme.example --types people,cis --expires 2027-12-31 < password.txt',
    'koa-itsm token create reports --user ines@acme.example --read-only',
    'koa-itsm token list --user ines@acme.example',
    'koa-itsm token revoke 7 --person 31',
  ],
  options: {
    user: { type: 'string', short: 'u', value: 'EMAIL', about: 'signs in with this e-mail address and a password' },
    'read-only': { type: 'boolean', about: 'the new token may only read' },
    types: { type: 'string', value: 'TYPE,TYPE…', about: 'the new token is for these types only: people,cis' },
    expires: { type: 'string', value: 'DATE', about: 'the new token works until the beginning of that day, or that time' },
    save: { type: 'boolean', about: 'stores the new token for this command, and does not show it' },
    person: { type: 'string', value: 'ID', about: 'lists or revokes the tokens of this person' },
  },
  async run(work) {
    const act = actionOf(work)
    const { person } = work.given
    const found = readSettings(work.given, work.surroundings)
    const credentials = await credentialsOf(work, found)
    try {
      return await withClient(work, found, credentials, (api) => act(api, found))
    } catch (error) {
      if (error instanceof CallFailed && error.status === 403 && 'token' in credentials && person === undefined) {
        error.message += '\nA token makes and shows no tokens: add --user EMAIL, and give the password.'
      }
      throw error
    }
  },
})

type Action = (work: ApiWork, found: Found) => Promise<ExitCode>

/** What the arguments ask for; all of them are looked at before the password is asked for. @throws UsageError */
function actionOf({ given, names: [action, name, ...more] }: Work): Action {
  const ofNew = ['read-only', 'types', 'expires', 'save'].filter((option) => given[option] !== undefined)
  const { person, types } = given
  if (typeof person === 'string' && !ID.test(person)) throw new UsageError('--person is the id of a person: a number')
  if (action === 'create' && name !== undefined && more.length === 0) {
    if (person !== undefined) throw new UsageError('Everybody makes their own tokens: without --person')
    if (typeof types === 'string' && namesIn(types).length === 0) throw new UsageError('--types needs types: people,cis')
    return (work, found) => create(work, found, name)
  }
  const isRevoke = action === 'revoke' && ID.test(name ?? '') && more.length === 0
  if (!isRevoke && !(action === 'list' && name === undefined)) {
    throw new UsageError('Say what to do: create NAME, list, or revoke ID. A name with blanks needs quotes')
  }
  if (ofNew.length > 0) throw new UsageError(`Only create has --${ofNew[0]}`)
  const path = person === undefined ? '/me/tokens' : `/people/${person}/tokens`
  return isRevoke ? (work) => revoke(work, path, Number(name)) : (work) => list(work, path)
}

const ID = /^\d{1,15}$/

async function credentialsOf({ given, surroundings }: Work, found: Found): Promise<Credentials> {
  const { user } = given
  if (typeof user !== 'string') {
    if (found.token === undefined) throw new UsageError('Add --user EMAIL, and give the password')
    return { token: tokenOf(found) }
  }
  if (!/^[^\s:@]+@[^\s:]+$/.test(user)) throw new UsageError('--user is an e-mail address')
  const password = await surroundings.readPassword(`Password of ${user}: `)
  if (password === '') throw new UsageError('There is no password')
  return { user, password }
}

async function create({ client, given, screen, surroundings }: ApiWork, found: Found, name: string): Promise<ExitCode> {
  const { expires, types } = given
  const made = await client.json<Token & { readonly token: string }>('POST', '/me/tokens', {
    name,
    ...(given['read-only'] === true && { read_only: true }),
    ...(typeof types === 'string' && { record_types: await recordTypesOf(client, namesIn(types)) }),
    ...(typeof expires === 'string' && { expires_at: expires }),
  })
  const { token, ...shown } = made
  if (given['save'] !== true) {
    // The token alone, for TOKEN=$(koa-itsm token create …).
    screen.note(`${sentenceOf(made)}. It is shown only now:`)
    screen.result(token, made)
    return 0
  }
  try {
    saveSettings(found, token)
  } catch (error) {
    // Otherwise nobody would ever have it.
    screen.result(token, made)
    throw error
  }
  screen.result(`${sentenceOf(made)}, stored in ${found.file}`, { ...shown, saved_in: found.file })
  const first = ['URL', 'TOKEN', 'ACCOUNT'].map((one) => `KOA_ITSM_${one}`).filter((one) => surroundings.env[one])
  if (first.length > 0) screen.note(`${first.join(' and ')} in the environment still come before that file`)
  return 0
}

async function list({ client, screen }: ApiWork, path: string): Promise<ExitCode> {
  const tokens = await client.json<readonly Token[]>('GET', path)
  const rows = tokens.map((one) => [
    String(one.id),
    one.name,
    one.read_only ? 'read only' : '',
    one.record_types?.join(', ') ?? 'all',
    one.expires_at ?? 'never',
    one.last_used_at ?? 'never',
    one.created_at,
  ])
  screen.list(rows.length === 0 ? 'No tokens' : tableOf([HEADERS, ...rows]), tokens)
  return 0
}

const HEADERS = ['Id', 'Name', 'Limit', 'Types', 'Expires', 'Last used', 'Made']

async function revoke({ client, screen }: ApiWork, path: string, id: number): Promise<ExitCode> {
  await client.call('DELETE', `${path}/${id}`)
  screen.result(`Token ${id} is revoked`, { id, revoked: true })
  return 0
}

function sentenceOf({ expires_at, id, name, read_only, record_types }: Token): string {
  const limits = [
    ...(read_only ? ['only for reading'] : []),
    ...(record_types ? [`only for ${record_types.join(', ')}`] : []),
    expires_at === null ? 'without an end' : `until ${expires_at}`,
  ]
  return `Token ${id} '${name}', ${limits.join(', ')}`
}

function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap((name) => name.trim() || [])
}

/** The names of types as the API has them: `person` for `people`, as paths and files call it. @throws UsageError */
async function recordTypesOf(client: Client, names: readonly string[]): Promise<readonly string[]> {
  const { components, paths } = await client.json<{
    paths: { [path: string]: { get?: { operationId: string } } }
    components: {
      schemas: { PersonalTokenCreate: { properties: { record_types: { items: { enum: readonly string[] } } } } }
    }
  }>('GET', '/openapi.json')
  const known = components.schemas.PersonalTokenCreate.properties.record_types.items.enum
  return names.map((name) => {
    const type = paths[`/${name}/{id}`]?.get?.operationId.replace(/^read_/, '') ?? name
    if (!known.includes(type)) {
      throw new UsageError(`There is no type '${name}' for tokens${suggestion(name, known)}. The types are ${known.join(', ')}`)
    }
    return type
  })
}

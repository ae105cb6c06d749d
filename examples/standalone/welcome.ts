/** The text that the launcher prints once it runs. */
import { styleText } from 'node:util'
import { consoleOf, type Desk } from './desk.js'

const bold = (text: string) => (process.stdout.isTTY && !process.env['NO_COLOR'] ? styleText('bold', text) : text)

/** @param place the location of the records, for people */
export function welcome({ baseUrl, users, isNew, samples }: Desk, place: string): string {
  const [you, ...others] = users
  const width = Math.max(...users.map(({ name }) => name.length))
  const start = isNew ? 'This is the first start: a small company was created.' : 'Using the data of the last start.'
  return [
    '',
    `  ${bold('koa-itsm is running.')} ${start}`,
    '',
    `  Console    ${bold(consoleOf(baseUrl))}`,
    `  Base URL   ${bold(baseUrl)}`,
    `  User       ${you?.email} (${you?.name}, ${you?.is})`,
    `  Password   ${bold(you?.password ?? '')}`,
    `  API token  ${bold(you?.token ?? '')}`,
    `  Records    ${place}`,
    `  Documents  ${baseUrl}/docs`,
    '',
    '  Try other users:',
    ...others.map(({ name, is, token }) => `    ${name.padEnd(width)}  ${is.padEnd(18)}  ${token}`),
    '',
    '  Five commands to paste into another terminal:',
    '',
    ...commands(baseUrl, you?.token ?? '', samples).flatMap(([title, command]) => [`  # ${title}`, `  ${command}`, '']),
    `  ${bold('npm run demo')} imports 2,000 people, creates requests and receives webhooks.`,
    '  Ctrl+C stops.',
    '',
  ].join('\n')
}

/** Each works by itself, so any of them can be the first. */
function commands(
  baseUrl: string,
  token: string,
  samples: Desk['samples'],
): readonly (readonly [title: string, command: string])[] {
  const call = `curl -sw '\\n' -u ${token}:x`
  const json = "-H 'Content-Type: application/json' -d"
  return [
    ['Who am I?', `${call} '${baseUrl}/me'`],
    ['Which requests are open?', `${call} '${baseUrl}/requests/open?fields=id,subject,status,team&sort=-created_at'`],
    [
      'Create a request; its team is set automatically',
      `${call} ${json} '{"subject":"The printer is on fire","category":"incident","impact":"high","service_instance_id":${samples.serviceInstanceId}}' '${baseUrl}/requests'`,
    ],
    [
      `Solve request ${samples.requestId}, with a note`,
      `${call} -X PATCH ${json} '{"status":"completed","completion_reason":"solved","note":"The disk was full."}' '${baseUrl}/requests/${samples.requestId}'`,
    ],
    [
      'What happened to it?',
      `${call} '${baseUrl}/requests/${samples.requestId}/audit?fields=action,changes,created_by,created_at'`,
    ],
  ]
}

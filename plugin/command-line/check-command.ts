/** `koa-itsm check`: compares the tables of a host with its record types. */
import { withPlugin } from './host-plugin.js'

export const checkCommand = withPlugin({
  usage: '[--plugin FILE]',
  about: 'Connects to the database, and compares its tables with the record types. Changes nothing.',
  notes: ['The exit code is 1 if migrations have not run or tables differ, and 2 without an answer of the database.', ''],
  examples: [
    'koa-itsm check --plugin ./desk.js',
    'MYSQL_URL=mysql://itsm:secret@db.example.com/itsm koa-itsm check',
    'koa-itsm check --plugin ./desk.js --json',
  ],
  async run({ screen }, itsm) {
    const { differences, draft, migrations } = await itsm.check()
    const lines = [
      ...migrations.map((name) => `has not run: ${name}`),
      ...(migrations.length > 0 ? ['koa-itsm migrate runs them; the tables are compared after that'] : []),
      ...differences,
      ...(draft === '' ? [] : ['', 'This migration adds what is missing:', '', draft]),
    ]
    const isReady = lines.length === 0
    screen.result(isReady ? 'The tables match the record types' : lines.join('\n'), {
      ready: isReady,
      migrations,
      differences,
      draft,
    })
    return isReady ? 0 : 1
  },
})

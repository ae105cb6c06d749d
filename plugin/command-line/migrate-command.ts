/** `koa-itsm migrate`: brings the tables of a host up to date. */
import { withPlugin } from './host-plugin.js'

export const migrateCommand = withPlugin({
  usage: '[--plugin FILE]',
  about: 'Runs the migrations that have not run on the database, those of the host included.',
  notes: ['Take a backup before, and stop processes of an older version. Repeat it after a failure: it continues.', ''],
  examples: [
    'koa-itsm migrate --plugin ./desk.js',
    'MYSQL_URL=mysql://itsm:secret@db.example.com/itsm koa-itsm migrate',
    'koa-itsm check --plugin ./desk.js || koa-itsm migrate --plugin ./desk.js',
  ],
  async run({ screen }, itsm) {
    const migrations = await itsm.migrate()
    const lines = migrations.length === 0 ? ['Nothing to do: all migrations have run'] : migrations.map((name) => `ran ${name}`)
    screen.result(lines.join('\n'), { migrations })
    return 0
  },
})

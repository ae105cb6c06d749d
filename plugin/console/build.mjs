/**
 * Builds the pages of the console: scripts, styles and the icon, each under a name that changes with its content. Part of
 * `npm run build`; in a checkout, `npm start` calls it, and `npm test` builds them for its own copy of the package.
 *
 *     node plugin/console/build.mjs [folder]    default: dist/console
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Whose code is in the built files: their licenses ask for the notice in every copy. */
const BUNDLED = ['preact']

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const target = process.argv[2] ?? path('../../dist/console')
// Beside the old files first, so that a server which reads them now finds whole ones.
const fresh = `${target}.${process.pid}`

await mkdir(fresh, { recursive: true })
await build({
  entryPoints: { main: path('browser/main.tsx'), style: path('browser/styles/main.css'), icon: path('browser/icon.svg') },
  outdir: fresh,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'chrome110', 'firefox110', 'safari16'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.svg': 'copy' },
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  legalComments: 'none',
  banner: { js: '/* koa-itsm (MIT), with preact (MIT) */' },
  logLevel: 'warning',
})
const notices = await Promise.all(
  BUNDLED.map(async (name) => {
    const folder = new URL(`../../node_modules/${name}/`, import.meta.url)
    const { version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
    return `${name} ${version}\n\n${(await readFile(new URL('LICENSE', folder), 'utf8')).trim()}\n`
  }),
)
await writeFile(`${fresh}/NOTICE.txt`, `The files in this folder contain:\n\n${notices.join('\n')}`)
await rm(target, { recursive: true, force: true })
await rename(fresh, target)

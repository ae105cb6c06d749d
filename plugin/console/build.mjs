/**
 * Builds the pages of the console: scripts, styles and the icon, each under a name that changes with its content. Part of
 * `npm run build`; in a checkout, `npm start` calls it, and `npm test` builds them for its own copy of the package.
 *
 *     node plugin/console/build.mjs [folder]    default: dist/console
 */
import { mkdir, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

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
await rm(target, { recursive: true, force: true })
await rename(fresh, target)

/** `npm run reference`: writes the pages below plugin/docs/reference/. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REFERENCE } from './pages.js'
import { writeReference } from './write-pages.js'

mkdirSync(REFERENCE, { recursive: true })
const pages = writeReference()
for (const file of readdirSync(REFERENCE)) if (!pages.has(file)) rmSync(join(REFERENCE, file))
for (const [file, text] of pages) writeFileSync(join(REFERENCE, file), text)
console.log(`${pages.size} pages are in ${REFERENCE}`)

/** The page `architecture.md` says what the code says. A spec that fails shows the text as it has to be. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { floorPlan } from './support/floor-plan.js'
import { journeysIn, wrongSteps } from './support/journeys.js'
import { ABOVE, BESIDE, folderOf, MAY_IMPORT, ROOMS } from './support/rooms.js'
import { sourcesIn } from './support/sources.js'

const page = readFileSync('plugin/docs/architecture.md', 'utf8')
const sources = sourcesIn('plugin')

/** The text between `<!-- name: begin -->` and `<!-- name: end -->`. */
const blockOf = (name: string) => page.split(`<!-- ${name}: begin -->\n`)[1]?.split(`\n<!-- ${name}: end -->`)[0] ?? ''
/** The entries of a list, each as one line. */
const entriesOf = (list: string) => list.split(/^- /m).flatMap((entry) => entry.replace(/\s+/g, ' ').trim() || [])

describe('the page about the architecture', () => {
  it('draws what each folder may import', () => {
    const imports = sources.find(({ path }) => path === 'plugin/create-plugin.ts')?.imports ?? []
    const assembled = Object.keys(MAY_IMPORT).filter((folder) => imports.some(({ path }) => folderOf(path) === folder))
    expect(blockOf('floors')).to.equal(floorPlan(assembled))
  })

  it('says what each folder is about, from the ground up', () => {
    const named = entriesOf(blockOf('folders')).map((entry) => /^\*\*`([a-z-]+)\/`\*\*: \S/.exec(entry)?.[1])
    expect(named).to.deep.equal(Object.keys(MAY_IMPORT))
    for (const name of [...ABOVE, ...BESIDE.map((folder) => `${folder}/`)]) expect(page).to.contain(`\`${name}\``)
  })

  it('says what each room is about, from the ground up', () => {
    const shown = entriesOf(blockOf('folders')).flatMap((entry) => {
      const [head = '', rooms] = entry.split(' Rooms: ')
      const names = rooms?.split(' · ').map((room) => /^`([^`]+)` \w/.exec(room)?.[1])
      return names ? [[/`([a-z-]+)\/`/.exec(head)?.[1] ?? '', names] as const] : []
    })
    expect(Object.fromEntries(shown)).to.deep.equal(
      Object.fromEntries(Object.entries(ROOMS).map(([folder, rooms]) => [folder, Object.keys(rooms)])),
    )
  })

  it('names files and folders that there are', () => {
    const elsewhere = page.replace(blockOf('folders'), '')
    const named = [...elsewhere.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, path = '']) => path)
    expect(named).to.have.length.above(120)
    expect(named.filter((path) => !existsSync(`plugin/${path}`) && !(path.includes('/') && existsSync(path)))).to.deep.equal([])
  })

  describe('follows the code in its journeys', () => {
    const [, text = ''] = page.split('\n## Six journeys\n')
    const journeys = journeysIn(text.split('\n## ')[0] ?? '')

    it('of which there are six', () => {
      expect(journeys.map(({ steps }) => steps.length > 5)).to.deep.equal([true, true, true, true, true, true])
    })

    for (const journey of journeys) {
      it(journey.title, () => {
        expect(wrongSteps(journey, sources)).to.deep.equal([])
      })
    }

    it('and would notice a file that the work does not reach, and a mark that is wrong', () => {
      const [first] = journeysIn(
        [
          '### Wrong',
          '1. `http/app.ts`:',
          '2. `rules/time/time-spent.ts`:',
          '3. ↪ `http/router.ts`:',
          '4. ↪ `rules/none.ts`:',
        ].join('\n'),
      )
      expect(first && wrongSteps(first, sources)).to.deep.equal([
        'plugin/rules/time/time-spent.ts is not imported by the files above it',
        'plugin/http/router.ts is imported by the files above it, so it needs no ↪',
        'plugin/rules/none.ts is not imported by a file that create-plugin.ts imports',
      ])
    })
  })

  it('explains words in the order of the alphabet, each with a file that has the word', () => {
    const words = entriesOf(blockOf('words')).map((entry) => /^\*\*([A-Z][a-z ]+)\*\* \(`([^`]+)`\): [^.]+\.$/.exec(entry))
    const known = words.map((word) => [word?.[1] ?? '', word?.[2] ?? ''] as const)
    expect(known.map(([word]) => word)).to.deep.equal(known.map(([word]) => word).sort())
    const absent = known.filter(([word, file]) => {
      const text = readFileSync(`plugin/${file}`, 'utf8')
      return !new RegExp(word.replaceAll(' ', '[ -]?'), 'i').test(text)
    })
    expect(absent).to.deep.equal([])
  })

  it('lists every decision with its title, and the numbers that none has', () => {
    const files = readdirSync('plugin/docs/adr').sort()
    const titled = files.map((file) => {
      const [, title = ''] = /^# \d+[.:] (.+)$/m.exec(readFileSync(`plugin/docs/adr/${file}`, 'utf8')) ?? []
      return `[${file.slice(0, 4)}](adr/${file}) ${title}`
    })
    // What a later decision has changed is said in brackets.
    expect(entriesOf(blockOf('decisions')).map((entry) => entry.replace(/ \([^()]*\b\d{4}\)$/, ''))).to.deep.equal(titled)
    const taken = new Set(files.map((file) => file.slice(0, 4)))
    const last = Number(files.at(-1)?.slice(0, 4))
    const numbers = Array.from({ length: last }, (_, index) => String(index + 1).padStart(4, '0'))
    const [, free = ''] = /\nThe numbers ([\d, and]+) are free\./.exec(page) ?? []
    expect(free.match(/\d{4}/g)).to.deep.equal(numbers.filter((number) => !taken.has(number)))
  })
})

describe('the table of paths in the README', () => {
  const [, rest = ''] = readFileSync('README.md', 'utf8').split('\n| Path | Content |\n')
  const [table = ''] = rest.split('\n\n')
  const rows = table.split('\n').slice(1)
  /** Names after the first one of a row may be in its folder: `plugin/events/`, `webhooks/`. */
  const paths = rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, path = '']) =>
      existsSync(path) ? path : `plugin/${path}`,
    ),
  )

  it('has paths that there are', () => {
    expect(paths.filter((path) => !existsSync(path))).to.deep.equal([])
  })

  it('has each folder of the plugin, and begins with this page', () => {
    const folders = [...Object.keys(MAY_IMPORT), ...BESIDE]
    expect(folders.filter((folder) => !paths.some((path) => folderOf(path) === folder))).to.deep.equal([])
    expect(paths[0]).to.equal('plugin/docs/architecture.md')
  })
})

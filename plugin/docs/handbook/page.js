// The script of the pages at /docs: search, navigation, and the page about the API. It makes elements and texts, never HTML.

const MAX_FOUND = 20
/** Characters of a text before and after what was found. */
const AROUND = 60

/** Makes an element with properties, and with texts and elements within it. */
function make(tag, properties, ...within) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...within)
  return element
}

// Narrow pages have the navigation behind a line; without this script it is open.
const pages = document.querySelector('nav details')
const wide = matchMedia('(min-width: 60rem)')
const openPages = () => {
  pages.open = wide.matches
}
wide.addEventListener('change', openPages)
openPages()

beginSearch(document.querySelector('.search'))
const api = document.querySelector('#api')
if (api) void showApi(api)

function beginSearch(search) {
  const input = search.querySelector('input')
  const list = search.querySelector('.found')
  let sections = null
  search.hidden = false

  async function load() {
    sections ??= fetch(search.dataset.index).then((answer) => answer.json())
    return sections
  }
  async function show() {
    const words = wordsIn(input.value)
    const found = words.length === 0 ? [] : best(await load(), words)
    // A later letter has begun another search.
    if (wordsIn(input.value).join(' ') !== words.join(' ')) return
    const items = found.map((section) => foundItem(section, words))
    if (words.length > 0 && items.length === 0) items.push(make('li', {}, 'Nothing was found.'))
    list.replaceChildren(...items)
    list.hidden = items.length === 0
  }
  input.addEventListener('focus', load)
  input.addEventListener('input', show)
  search.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') list.hidden = true
    if (key === 'Enter') list.querySelector('a')?.click()
  })
  document.addEventListener('click', ({ target }) => {
    if (!search.contains(target) || target.closest('.found a')) list.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
    event.preventDefault()
    input.focus()
  })
}

function wordsIn(text) {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Sections that have all words: first those whose headings have them. */
function best(sections, words) {
  const scored = sections.flatMap((section) => {
    const [heading, title, text] = [section.heading, section.title, section.text].map((part) => part.toLowerCase())
    const scores = words.map((word) => {
      if (heading === word) return 9
      if (heading.includes(word)) return 5
      if (title.includes(word)) return 3
      return text.includes(word) ? 1 : 0
    })
    return scores.includes(0) ? [] : [{ section, score: scores.reduce((sum, score) => sum + score, 0) }]
  })
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ section }) => section)
}

function foundItem({ heading, text, title, url }, words) {
  const name = heading === '' || heading === title ? title : `${heading} · ${title}`
  return make('li', {}, make('a', { href: url }, name), make('p', {}, ...marked(text, words)))
}

/** The part of a text around the first word, which is marked. */
function marked(text, [word]) {
  const at = text.toLowerCase().indexOf(word)
  if (at < 0) return [text.slice(0, 2 * AROUND)]
  const from = Math.max(0, at - AROUND)
  const end = at + word.length
  return [
    (from > 0 ? '…' : '') + text.slice(from, at),
    make('mark', {}, text.slice(at, end)),
    text.slice(end, end + AROUND) + (end + AROUND < text.length ? '…' : ''),
  ]
}

async function showApi(place) {
  const state = place.querySelector('.state')
  state.textContent = 'Reading the description…'
  try {
    const answer = await fetch(place.dataset.document, { headers: { [place.dataset.languageHeader]: navigator.language } })
    if (!answer.ok) throw new Error(String(answer.status))
    const description = await answer.json()
    state.remove()
    place.append(...introduction(description), ...operationsByTag(description))
  } catch (error) {
    state.textContent = `The description could not be read (${error.message}).`
  }
}

function introduction({ info, servers = [] }) {
  const where = make('p', {}, 'Base URL: ', make('code', {}, servers[0]?.url ?? ''))
  const text = make('details', {}, make('summary', {}, 'Sign-in, errors, pages, filters and limits'))
  for (const paragraph of (info.description ?? '').split('\n\n')) text.append(make('p', {}, ...withCode(paragraph)))
  return [where, text]
}

/** A text with the parts in backticks as code. */
function withCode(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? make('code', {}, part) : part))
}

const VERBS = ['get', 'post', 'patch', 'put', 'delete']

function operationsByTag(description) {
  const tags = new Map((description.tags ?? []).map((tag) => [tag.name, { ...tag, operations: [] }]))
  for (const [path, item] of Object.entries(description.paths)) {
    for (const verb of VERBS.filter((one) => item[one])) {
      const operation = item[verb]
      const name = operation.tags?.[0] ?? 'others'
      if (!tags.has(name)) tags.set(name, { name, operations: [] })
      tags.get(name).operations.push({
        ...operation,
        path,
        verb,
        parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])],
      })
    }
  }
  const filter = make('input', { type: 'search', placeholder: 'Filter by path or words' })
  filter.setAttribute('aria-label', 'Filter')
  const groups = [...tags.values()].filter(({ operations }) => operations.length > 0).map((tag) => group(description, tag))
  filter.addEventListener('input', () => {
    const words = wordsIn(filter.value)
    for (const { element, entries } of groups) {
      for (const { element: entry, text } of entries) entry.hidden = !words.every((word) => text.includes(word))
      element.hidden = entries.every(({ element: entry }) => entry.hidden)
      element.open = words.length > 0
    }
  })
  return [make('p', {}, filter), ...groups.map(({ element }) => element)]
}

function group(description, { name, operations, ...tag }) {
  const entries = operations.map((operation) => {
    const text = `${operation.verb} ${operation.path} ${operation.summary ?? ''} ${name}`.toLowerCase()
    return { text, element: operationDetails(description, operation) }
  })
  const about = tag.description ? [make('p', { className: 'faint' }, ...withCode(tag.description))] : []
  const summary = make('summary', {}, make('strong', {}, name), make('span', { className: 'faint' }, ` ${operations.length}`))
  return { entries, element: make('details', {}, summary, ...about, ...entries.map(({ element }) => element)) }
}

/** Details whose content is made when they are opened: the document has hundreds of operations, and schemas in circles. */
function lazy(summary, fill) {
  const details = make('details', {}, summary)
  details.addEventListener('toggle', () => details.open && details.append(...fill()), { once: true })
  return details
}

function operationDetails(description, operation) {
  const { parameters, path, summary, verb } = operation
  const line = make(
    'summary',
    {},
    make('span', { className: 'verb' }, verb.toUpperCase()),
    make('code', {}, path),
    ` ${summary ?? ''}`,
  )
  return lazy(line, () => {
    const parts = [make('p', {}, ...withCode(operation.description ?? ''))]
    const known = parameters.map((one) => followed(description, one))
    for (const place of ['path', 'query', 'header']) {
      const some = known.filter((one) => one.in === place)
      if (some.length > 0) parts.push(make('h4', {}, `Parameters in the ${place}`), parameterList(description, some))
    }
    for (const [type, content] of Object.entries(followed(description, operation.requestBody ?? {}).content ?? {}))
      parts.push(make('h4', {}, `Body: ${type}`), schemaPart(description, content.schema ?? {}))
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      const { content = {}, description: about = '' } = followed(description, answer)
      parts.push(make('h4', {}, `Response ${status}`), make('p', {}, ...withCode(about)))
      for (const [type, { schema }] of Object.entries(content)) {
        parts.push(make('p', { className: 'faint' }, type))
        if (schema) parts.push(schemaPart(description, schema))
      }
    }
    return parts
  })
}

function parameterList(description, parameters) {
  const items = parameters.map(({ description: about = '', name, required, schema = {} }) =>
    make(
      'li',
      {},
      make('code', {}, name),
      ` ${typeName(followed(description, schema))}${required ? ', required' : ''} `,
      ...withCode(about),
    ),
  )
  return make('ul', { className: 'fields' }, ...items)
}

/** What a reference leads to; anything else as it is. */
function followed(description, value) {
  const path = value?.$ref
  if (typeof path !== 'string') return value
  const parts = path.slice(2).split('/')
  const found = parts.reduce((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], description) ?? {}
  return followed(description, found)
}

function typeName({ enum: values, format, items, maxLength, type, 'x-labels': labels = {} }) {
  const types = [type ?? ''].flat().filter((one) => one !== 'null')
  const list = items ? ' of' : ''
  const limit = maxLength ? `, at most ${maxLength} characters` : ''
  return `${types.join(' or ')}${list}${format ? ` (${format})` : ''}${limit}${values ? `: ${values.map((value) => (labels[value] ? `${value} (${labels[value]})` : value)).join(', ')}` : ''}`
}

function schemaPart(description, schema) {
  const known = followed(description, schema)
  const parts = known.anyOf ?? known.oneOf ?? known.allOf
  if (parts) return make('div', { className: 'fields' }, ...parts.map((part) => schemaPart(description, part)))
  if (known.items) return make('div', { className: 'fields' }, make('p', {}, 'A list of'), schemaPart(description, known.items))
  const properties = Object.entries(known.properties ?? {})
  if (properties.length === 0) return make('p', { className: 'fields' }, typeName(known), ...withCode(known.description ?? ''))
  const required = new Set(known.required ?? [])
  const items = properties.map(([name, property]) => {
    const own = followed(description, property)
    const inner = [own, ...(own.anyOf ?? own.oneOf ?? [])].map((part) => followed(description, part.items ?? part))
    const nested = inner.find((part) => part.properties)
    const about = property.description ?? own.description ?? ''
    const label = property.title ?? own.title
    const line = [make('code', {}, name), ` ${typeName(own)}${required.has(name) ? ', required' : ''} `]
    if (label) line.push(make('em', {}, `${label}. `))
    line.push(...withCode(about))
    return make(
      'li',
      {},
      ...line,
      ...(nested ? [lazy(make('summary', {}, 'Fields'), () => [schemaPart(description, nested)])] : []),
    )
  })
  return make('ul', { className: 'fields' }, ...items)
}

import type { Api } from '../../core/api.js'

/** Saves a file of the API on the person's disk: a link could not say who asks. */
export async function download(api: Api, path: string, name: string): Promise<void> {
  const { data } = await api.call<string>('GET', path, { as: 'text', headers: { Accept: 'text/csv' } })
  // Spreadsheets recognize UTF-8 by this mark, which reading the text has removed.
  const url = URL.createObjectURL(new Blob(['\uFEFF', data], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers begin to read after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

import type { Api, Output } from './api.js'

/** Uploads a file, and returns the key under which a text may have it (behaviour: Attachments). */
export async function uploadFile(api: Api, file: File): Promise<string> {
  const form = new FormData()
  form.set('file', file, file.name)
  const { data } = await api.call<Output>('POST', '/attachments', { body: form })
  return String(data['key'])
}

import { useState } from 'preact/hooks'

/** Keys of POSTs: a repeated attempt with the same content has that of the first one, so that it is done once. */
export interface Keys {
  keyOf(content: unknown): string
  /** After an answer: the same content once more is something new. */
  renew(): void
}

export function useKeys(): Keys {
  const [keys] = useState(createKeys)
  return keys
}

function createKeys(): Keys {
  let of: string | null = null
  let key = ''
  return {
    keyOf(content) {
      const text = JSON.stringify(content)
      if (of !== text) key = crypto.randomUUID()
      of = text
      return key
    },
    renew: () => {
      of = null
    },
  }
}

import { useEffect, useState } from 'preact/hooks'

/** True while the browser matches a media query. */
export function useMedia(query: string): boolean {
  const [list] = useState(() => matchMedia(query))
  const [matches, setMatches] = useState(list.matches)
  useEffect(() => {
    const change = () => setMatches(list.matches)
    list.addEventListener('change', change)
    return () => list.removeEventListener('change', change)
  }, [list])
  return matches
}

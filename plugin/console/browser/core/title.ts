import { useEffect } from 'preact/hooks'
import { useApp } from './use-app.js'

/** Sets the title of the page in the browser. */
export function useTitle(title: string): void {
  const { settings } = useApp()
  useEffect(() => {
    document.title = title === '' ? settings.brand.name : `${title} · ${settings.brand.name}`
  }, [title, settings])
}

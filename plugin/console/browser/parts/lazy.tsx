import type { ComponentType } from 'preact'
import { useLoaded } from '../core/use-app.js'
import { Loading, Problem } from './basics.js'

/** A component that is loaded when it is shown for the first time. */
export type Loader<P extends object> = () => Promise<ComponentType<P>>

/** Loads a component, then shows it. */
export function Lazy<P extends object>({ page, props }: { page: Loader<P>; props: P }) {
  const { data, error, reload } = useLoaded('component', () => page().then((Component) => ({ Component })))
  if (error !== undefined) return <Problem error={error} retry={reload} />
  return data ? <data.Component {...props} /> : <Loading />
}

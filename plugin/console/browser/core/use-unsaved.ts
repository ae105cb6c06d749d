/** What was typed and not saved: kept for the tab, and not left without a question. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { useApp } from './use-app.js'

/** The key under which something typed is kept: of this person and account, because the next one in the tab must not see it. */
export function useOwnKey(name: string): string {
  const { me, session } = useApp()
  const [key] = useState(() => `draft.${me.id}.${session.callerNow().account ?? ''}.${name}`)
  return key
}

/** Asks before something that was typed is left. @param isDone true once it is saved or dropped */
export function useGuard(isChanged: boolean, isDone: () => boolean = () => false): void {
  const { places, t } = useApp()
  // At once: what is typed may be left in the next moment.
  useLayoutEffect(
    () => (isChanged ? places.guard(() => isDone() || confirm(t('leave_form'))) : undefined),
    [isChanged, isDone, places, t],
  )
}

import { useEffect, useState } from 'react'

/**
 * Drawn in a dialog that is mounted only while it is open: what had the focus before gets it back. The kit gives it back
 * only in dialogs that stay mounted.
 */
export function FocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    },
    [before],
  )
  return null
}

import { useEffect, useState } from 'react'

/**
 * Drawn in a dialog that is mounted only while it is open: what had the focus before gets it back. The kit gives it back
 * only in dialogs that stay mounted.
 */
export function FocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    // What had the focus is gone where a drawer gave way to the dialog; by now the drawer has given the focus back.
    const opener = before?.isConnected ? before : document.activeElement
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [before])
  return null
}

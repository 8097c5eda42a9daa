import { useEffect, useState } from 'react'

/**
 * Rendered in a dialog that is mounted only while open: returns the focus to the previously focused element. The kit does so only in
 * dialogs that stay mounted.
 */
export function FocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    // Where a drawer gave way to the dialog, the opener is gone and the drawer has returned the focus by now.
    const opener = before?.isConnected ? before : document.activeElement
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [before])
  return null
}

import type { KeyboardEvent } from 'react'

/** Enter on the row itself opens it; on a control within it, Enter triggers the control. */
export const openOnEnter = (open: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || event.target !== event.currentTarget) return
  event.preventDefault()
  open()
}

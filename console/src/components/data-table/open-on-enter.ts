import type { KeyboardEvent, MouseEvent } from 'react'

/** Enter on the row itself opens it; on a control within it, Enter triggers the control. */
export const openOnEnter = (open: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || event.target !== event.currentTarget) return
  event.preventDefault()
  open()
}

/** A click on the row opens it; a click on a control within it, or in what the control has opened, does not. */
export const ownClick = (open: () => void) => (event: MouseEvent) => {
  const { target, currentTarget } = event
  if (!(target instanceof Element) || !currentTarget.contains(target)) return
  if (target.closest('a, button, input, select, textarea, label') === null) open()
}

import { useEffect, useRef } from 'react'

import { isTyping } from '../../lib/browser/is-typing'

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 }

/** Whether something other than the panel is open above the page. */
const isCovered = () =>
  [...document.querySelectorAll('[role="dialog"]')].some((dialog) => !dialog.closest('[data-peek]'))

type Key = number | string

/** J and K move an open `PeekPanel` through the rows of its table, and so do its buttons, whose handlers this returns. */
export function usePeekSteps<Id extends Key>(
  openId: Id | undefined,
  ids: readonly Id[] | undefined,
  open: (id: Id) => void,
) {
  // Keys may come faster than the address changes.
  const at = useRef(openId)
  useEffect(() => {
    at.current = openId
    if (openId === undefined || !ids) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const step = steps[event.key]
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const next = ids[ids.findIndex((id) => id === at.current) + step]
      if (next === undefined || isCovered()) return
      at.current = next
      open(next)
      focusRow(next)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [openId, ids, open])
  const place = ids?.findIndex((id) => id === openId) ?? -1
  const to = (id: Id | undefined) => (id === undefined ? undefined : () => open(id))
  return place < 0 ? {} : { onPrevious: to(ids?.[place - 1]), onNext: to(ids?.[place + 1]) }
}

/** Focuses a row, unless the focus is elsewhere for a reason. */
export function focusRow(id: Key): void {
  const active = document.activeElement
  const isFree = !active || active === document.body || active.closest('[data-row], aside')
  if (isFree) document.querySelector<HTMLElement>(`[data-row="${CSS.escape(String(id))}"]`)?.focus()
}

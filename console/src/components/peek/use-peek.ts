import { useEffect, useMemo, useRef } from 'react'

import { isTyping } from '../../lib/browser/is-typing'

/** Connects the table of a list with the panel of its open row. `open` must be a stable function. */
export function usePeek<Id extends number | string = number>(
  openId: Id | undefined,
  rows: readonly { readonly id: Id }[] | undefined,
  open: (id: Id | undefined) => void,
) {
  const ids = useMemo(() => rows?.map(({ id }) => id), [rows])
  const steps = usePeekSteps(openId, ids, open)
  return {
    table: {
      openKey: openId === undefined ? undefined : String(openId),
      onOpen: ({ id }: { readonly id: Id }) => open(id === openId ? undefined : id),
    },
    panel: {
      ...steps,
      onClose: () => {
        if (openId !== undefined) focusRow(openId)
        open(undefined)
      },
    },
  }
}

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 }

/** Whether something other than the panel is open above the page. */
const isCovered = () =>
  [...document.querySelectorAll('[role="dialog"]')].some((dialog) => !dialog.closest('[data-peek]'))

type Key = number | string

/** J and K move an open `PeekPanel` through the rows of its table, and so do its buttons, whose handlers this returns. */
function usePeekSteps<Id extends Key>(openId: Id | undefined, ids: readonly Id[] | undefined, open: (id: Id) => void) {
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
  const index = ids?.findIndex((id) => id === openId) ?? -1
  const to = (id: Id | undefined) => (id === undefined ? undefined : () => open(id))
  return index < 0 ? {} : { onPrevious: to(ids?.[index - 1]), onNext: to(ids?.[index + 1]) }
}

/** Focuses a row, unless the focus is elsewhere for a reason. */
export function focusRow(id: Key): void {
  const active = document.activeElement
  const isFree = !active || active === document.body || active.closest('[data-row], aside')
  if (isFree) document.querySelector<HTMLElement>(`[data-row="${CSS.escape(String(id))}"]`)?.focus()
}

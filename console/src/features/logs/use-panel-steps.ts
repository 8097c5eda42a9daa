import { useEffect, useRef } from 'react'

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 }

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** What opens above the page, other than the panel itself. */
const isCovered = () =>
  [...document.querySelectorAll('[role="dialog"]')].some((dialog) => !dialog.closest('[data-peek]'))

/** J and K lead the open panel through the rows, and so do its buttons. */
export function usePanelSteps(
  openId: number | undefined,
  rows: readonly { readonly id: number }[] | undefined,
  open: (id: number) => void,
) {
  // Keys may come faster than the address follows.
  const at = useRef(openId)
  useEffect(() => {
    at.current = openId
    if (openId === undefined || !rows) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const step = steps[event.key]
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const next = rows[rows.findIndex(({ id }) => id === at.current) + step]
      if (!next || isCovered()) return
      at.current = next.id
      open(next.id)
      focusRow(next.id)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [openId, rows, open])
  const place = rows?.findIndex(({ id }) => id === openId) ?? -1
  const to = (row: { readonly id: number } | undefined) => row && (() => open(row.id))
  return place < 0 ? {} : { onPrevious: to(rows?.[place - 1]), onNext: to(rows?.[place + 1]) }
}

/** The keyboard goes to a row, unless it is at work elsewhere. */
export function focusRow(id: number): void {
  const active = document.activeElement
  const isFree = !active || active === document.body || active.closest('[data-row], aside')
  if (isFree) document.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus()
}

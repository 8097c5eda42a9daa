import { useEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react'

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** Returns the next row to focus, skipping expanded details. */
function neighbour(row: HTMLTableRowElement, step: number): HTMLTableRowElement | undefined {
  const rows = [...(row.parentElement?.querySelectorAll<HTMLTableRowElement>('tr[data-row]') ?? [])]
  return rows[rows.indexOf(row) + step]
}

/** J and K (or the arrow keys) move through the rows; J from anywhere on the page starts at the first. */
export function useRowKeys() {
  const ref = useRef<HTMLTableSectionElement>(null)

  useEffect(() => {
    function onKeyDown(event: globalThis.KeyboardEvent) {
      if (event.key !== 'j' || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.activeElement && document.activeElement !== document.body) return
      const row = ref.current?.querySelector<HTMLElement>('tr[data-row]')
      row?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    const step = steps[event.key]
    const row = event.target
    if (step === undefined || !(row instanceof HTMLTableRowElement)) return
    const next = neighbour(row, step)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  return { ref, onKeyDown }
}

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

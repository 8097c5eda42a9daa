import { useEffect, useRef, type KeyboardEvent } from 'react'

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

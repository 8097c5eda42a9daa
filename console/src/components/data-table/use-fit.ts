import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import type { Cell } from './columns'

interface Fit {
  /** What the columns were measured for. */
  readonly question: string
  readonly leftOut: ReadonlySet<string>
  /** Wide columns give up room, as no other column may leave. */
  readonly isTight: boolean
}

const everyColumn = { leftOut: new Set<string>(), isTight: false }

/**
 * Finds out which columns do not fit, as their real content is drawn: no column may lie under the actions of a row. Those leave first that
 * need the most room, and of these the last ones; columns that the reader chose stay. Where that is not enough, wide columns shrink. Begins
 * anew when `question` changes.
 */
export function useFit<Row>(
  question: string,
  { cells, mayLeave }: { readonly cells: readonly Cell<Row>[]; readonly mayLeave: (cell: Cell<Row>) => boolean },
) {
  const frame = useRef<HTMLDivElement>(null)
  const [fit, setFit] = useState<Fit>({ question, ...everyColumn })
  if (fit.question !== question) setFit({ question, ...everyColumn })
  const { leftOut, isTight } = fit.question === question ? fit : everyColumn
  const narrow = () => {
    const element = frame.current
    let excess = element ? element.scrollWidth - element.clientWidth : 0
    if (!element || excess <= 1) return false
    const leaving = new Set(leftOut)
    for (const cell of yielding(cells, mayLeave)) {
      if (excess <= 0) break
      if (leaving.has(cell[0].id)) continue
      excess -= widthOf(element, cell)
      for (const { id } of cell) leaving.add(id)
    }
    if (leaving.size === leftOut.size && isTight) return false
    flushSync(() => setFit({ question, leftOut: leaving, isTight: leaving.size === leftOut.size }))
    return true
  }
  const latest = useRef(narrow)
  // Content changes with every row, so each drawing is measured: once before it is painted, however often React draws until then.
  useLayoutEffect(() => {
    latest.current = narrow
    let rounds = cells.length + 1
    const measuring = requestAnimationFrame(() => {
      while (rounds > 0 && latest.current()) rounds -= 1
    })
    return () => cancelAnimationFrame(measuring)
  })
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    // Called at first with the width as drawn.
    let width: number | undefined
    const observer = new ResizeObserver(() => {
      const before = width
      width = element.clientWidth
      if (before === undefined) return
      if (before !== width) setFit({ question, ...everyColumn })
      else requestAnimationFrame(() => latest.current())
    })
    observer.observe(element)
    // A cell whose code arrives late widens the table without a drawing of it.
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  }, [question])
  return { frame, leftOut, isTight }
}

/** Columns that need a wide table first, from the last to the first, then those that need a middle one. */
const yielding = <Row>(cells: readonly Cell<Row>[], mayLeave: (cell: Cell<Row>) => boolean): readonly Cell<Row>[] => {
  const leaving = cells.filter(mayLeave).toReversed()
  return [
    ...leaving.filter(([{ hiddenBelow }]) => hiddenBelow === 'wide'),
    ...leaving.filter(([{ hiddenBelow }]) => hiddenBelow !== 'wide'),
  ]
}

const widthOf = <Row>(frame: HTMLElement, [{ id }]: Cell<Row>): number =>
  frame.querySelector<HTMLElement>(`th[data-column="${CSS.escape(id)}"]`)?.offsetWidth ?? 0

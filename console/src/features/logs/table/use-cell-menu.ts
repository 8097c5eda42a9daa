import { useState, type KeyboardEvent, type MouseEvent } from 'react'

import { useViewer } from '../../../lib/api/session'
import { excludable } from '../filters/exclusions'
import type { LogRow } from '../log-row'
import { valueOf, valuesOf, type RowValue } from './row-values'

export interface OpenedCell {
  readonly anchor: HTMLElement
  readonly row: LogRow
  readonly values: readonly RowValue[]
}

/**
 * The menus of the table's values, opened by their icon or a right click; F and the menu key open one with all values of the focused row.
 */
export function useCellMenu(rows: readonly LogRow[] | undefined) {
  const readsAll = useViewer().may('logs.read')
  const [opened, setOpened] = useState<OpenedCell | undefined>()

  const rowOf = (element: Element) =>
    rows?.find(({ id }) => String(id) === element.closest<HTMLElement>('[data-row]')?.dataset['row'])

  /** Returns whether the target has a menu. */
  function openAt(target: EventTarget): boolean {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-filter]') : null
    const row = cell && rowOf(cell)
    const name = excludable.find((known) => known === cell?.dataset['filter'])
    const value = row && name && valueOf(row, name)
    if (!cell || !value) return false
    setOpened({ anchor: cell, row, values: [value] })
    return true
  }

  function openForRow(target: EventTarget): boolean {
    if (!(target instanceof HTMLElement) || !target.matches('[data-row]')) return false
    const row = rowOf(target)
    const values = row ? valuesOf(row, readsAll) : []
    if (!row || values.length === 0) return false
    setOpened({ anchor: target.querySelector<HTMLElement>('td') ?? target, row, values })
    return true
  }

  return {
    opened,
    close: () => setOpened(undefined),
    listeners: {
      onContextMenu: (event: MouseEvent) => {
        // Shift keeps the browser's own menu.
        if (!event.shiftKey && (openAt(event.target) || openForRow(event.target))) event.preventDefault()
      },
      onClickCapture: (event: MouseEvent) => {
        const isSign = event.target instanceof Element && event.target.matches('[data-filter-menu]')
        if (isSign && openAt(event.target)) event.stopPropagation()
      },
      onKeyDown: (event: KeyboardEvent) => {
        const isShortcut = event.key === 'f' && !event.ctrlKey && !event.metaKey && !event.altKey
        if (isShortcut && openForRow(event.target)) event.preventDefault()
      },
    },
  }
}

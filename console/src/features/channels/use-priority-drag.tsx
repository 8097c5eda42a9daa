import { VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { IconGripVertical } from '@tabler/icons-react'
import { channelRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import type { Channel, Row } from './channel-row'
import classes from './priority-drag.module.css'

interface DragOptions {
  readonly channels: readonly Channel[] | undefined
  readonly isLastPage: boolean
  /** The list is sorted by priority, with a row for each channel. */
  readonly isEnabled: boolean
  readonly onMove: (channel: Channel, priority: number) => Promise<void>
}

/** A row being moved from its place to before the one at `to`. */
interface Move {
  readonly from: number
  readonly to: number
}

interface Line {
  readonly top: number
  readonly left: number
  readonly width: number
}

/**
 * Moves a row by its handle to change the channel's priority: with the pointer, or with Space, the arrow keys and Space again. Escape
 * cancels. The target is drawn as a line and announced.
 */
export function usePriorityDrag({ channels = [], isLastPage, isEnabled, onMove }: DragOptions) {
  const { t } = useTranslation('channels')
  const [move, setMove] = useState<Move>()
  const [line, setLine] = useState<Line>()
  const isPointer = useRef(false)
  const priorityOf = ({ from, to }: Move) => movedPriority(channels, from, to, { isOpenEnd: !isLastPage })

  const aim = (grip: Element, next: Move) => {
    setMove(next)
    setLine(lineAt(grip, next.to))
  }
  const stop = () => {
    isPointer.current = false
    setMove(undefined)
    setLine(undefined)
  }
  const drop = () => {
    const channel = move && channels[move.from]
    const priority = move && priorityOf(move)
    stop()
    if (channel && priority !== null && priority !== undefined) void onMove(channel, priority)
  }
  const handleKey = (event: KeyboardEvent, from: number) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (event.key === ' ' || event.key === 'Enter') {
      if (move) drop()
      else aim(event.currentTarget, { from, to: from })
    } else if (move && step !== 0) {
      aim(event.currentTarget, { from, to: steppedTo(move, step, channels.length) })
    } else if (move && event.key === 'Escape') stop()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const grip = (row: Row) => {
    if (!isEnabled || row.kind === 'tag') return null
    const from = channels.findIndex(({ id }) => id === row.channel.id)
    const { name } = row.channel
    return (
      <button
        type="button"
        className={classes.grip}
        data-is-held={move?.from === from || undefined}
        aria-label={t('move.grip', { name })}
        title={t('move.hint')}
        onKeyDown={(event) => handleKey(event, from)}
        onBlur={() => !isPointer.current && stop()}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          isPointer.current = true
          event.currentTarget.setPointerCapture(event.pointerId)
          aim(event.currentTarget, { from, to: from })
        }}
        onPointerMove={(event) => {
          if (isPointer.current) aim(event.currentTarget, { from, to: indexUnder(event) })
        }}
        onPointerUp={() => isPointer.current && drop()}
        onPointerCancel={stop}
      >
        <IconGripVertical size={14} />
      </button>
    )
  }

  const words = () => {
    const channel = move && channels[move.from]
    if (!channel) return ''
    const priority = priorityOf(move)
    return priority === null
      ? t('move.unchanged', { name: channel.name })
      : t('move.would', { name: channel.name, priority })
  }
  const shown = (
    <>
      <VisuallyHidden aria-live="assertive">{words()}</VisuallyHidden>
      {line &&
        move &&
        createPortal(
          <div className={classes.line} style={line} aria-hidden>
            <span className={classes.word}>{words()}</span>
          </div>,
          document.body,
        )}
    </>
  )
  return { grip, shown }
}

/** Moves one row further; the places right before and after the row are the same. */
function steppedTo({ from, to }: Move, step: 1 | -1, count: number): number {
  const index = to > from ? to - 1 : to
  const next = Math.max(0, Math.min(count - 1, index + step))
  return next > from ? next + 1 : next
}

const rowsAround = (grip: Element): readonly Element[] => [
  ...(grip.closest('tbody')?.querySelectorAll('tr[data-row]') ?? []),
]

/** Returns the row that the pointer is before. */
function indexUnder({ clientY, currentTarget }: PointerEvent): number {
  const rows = rowsAround(currentTarget)
  const index = rows.findIndex((row) => {
    const { top, height } = row.getBoundingClientRect()
    return clientY < top + height / 2
  })
  return index === -1 ? rows.length : index
}

function lineAt(grip: Element, index: number): Line | undefined {
  const rows = rowsAround(grip)
  const row = rows[index] ?? rows.at(-1)
  const table = grip.closest('table')?.parentElement?.getBoundingClientRect()
  if (!row || !table) return undefined
  const box = row.getBoundingClientRect()
  return { top: index < rows.length ? box.top : box.bottom, left: table.left, width: table.width }
}

interface Placed {
  readonly id: number
  readonly priority: number
}

/** Distance of a new first or last tier, which leaves room for others in between. */
const apart = 10

/**
 * Returns the priority that moves the channel at `from` before the one at `to` (the length: to the end), or null when that changes nothing.
 * The list is sorted by descending priority; channels with the same priority share calls and have no order of their own. `isOpenEnd`: more
 * channels follow on later pages.
 */
export function movedPriority(
  list: readonly Placed[],
  from: number,
  to: number,
  { isOpenEnd = false }: { readonly isOpenEnd?: boolean } = {},
): number | null {
  const moved = list[from]
  if (!moved || to === from || to === from + 1) return null
  const above = list[to - 1]
  const below = list[to]
  const next = between(above?.priority, below?.priority, { isUpwards: to < from, isOpenEnd })
  return next === undefined || next === moved.priority ? null : next
}

interface Direction {
  readonly isUpwards: boolean
  readonly isOpenEnd: boolean
}

function between(above: number | undefined, below: number | undefined, { isUpwards, isOpenEnd }: Direction) {
  if (above === undefined) return below === undefined ? undefined : below + apart
  if (below === undefined) return isOpenEnd ? above : Math.max(channelRoutes.lowestPriority, above - apart)
  const middle = (above + below) / 2
  // Where no integer is left between two tiers, it joins the one it was moved towards.
  return isUpwards ? Math.ceil(middle) : Math.floor(middle)
}

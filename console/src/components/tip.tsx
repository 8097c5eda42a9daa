import { cloneElement, useId, useRef, useState, type ReactElement, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

import classes from './tip.module.css'

interface TipTargetProps {
  readonly onMouseEnter?: unknown
  readonly 'aria-describedby'?: string
}

interface TipProps {
  readonly label: ReactNode
  /** `right` for narrow menus; otherwise above, or below where there is no room. */
  readonly side?: 'right'
  readonly isDisabled?: boolean
  /** One element that forwards its props. */
  readonly children: ReactElement<TipTargetProps>
}

interface Position {
  readonly left: number
  readonly top: number
  readonly side: 'above' | 'below' | 'right'
}

/** Minimum distance from the top for a tooltip of several lines above. */
const roomPx = 90
const openDelayMs = 250
/** Elements that act on touch; others show their tooltip. */
const acting = 'button, a, input'

/**
 * A short explanation on hover and focus. The kit's tooltip brings a positioning engine of 30 KB, too much for the first load; this one
 * needs only three positions.
 */
export function Tip({ label, side, isDisabled = false, children }: TipProps) {
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [position, setPosition] = useState<Position | undefined>()
  if (isDisabled || !label) return children
  const open = (target: Element, delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPosition(positionOf(target, side)), delayMs)
  }
  const close = () => {
    clearTimeout(timer.current)
    setPosition(undefined)
  }
  return (
    <>
      {cloneElement(children, {
        'aria-describedby': position && id,
        onMouseEnter: ({ currentTarget }: React.MouseEvent) => open(currentTarget, openDelayMs),
        onMouseLeave: close,
        onMouseDown: close,
        onClickCapture: ({ currentTarget, nativeEvent }: React.MouseEvent) => {
          if (isTouch(nativeEvent) && !currentTarget.matches(acting)) open(currentTarget, 0)
        },
        onFocus: ({ currentTarget }: React.FocusEvent) => {
          if (currentTarget.matches(':focus-visible')) open(currentTarget, 0)
        },
        onBlur: close,
        onKeyDownCapture: ({ key }: React.KeyboardEvent) => {
          if (key === 'Escape') close()
        },
      } as TipTargetProps)}
      {position &&
        createPortal(
          <div
            id={id}
            role="tooltip"
            className={classes.tip}
            data-side={position.side}
            style={{ left: position.left, top: position.top }}
          >
            {label}
          </div>,
          document.body,
        )}
    </>
  )
}

const isTouch = (event: MouseEvent) => event instanceof PointerEvent && event.pointerType === 'touch'

function positionOf(target: Element, side: 'right' | undefined): Position {
  const { left, right, top, bottom, width, height } = target.getBoundingClientRect()
  if (side === 'right') return { left: right + 8, top: top + height / 2, side }
  // Half the maximum width keeps the tooltip inside the window on both sides.
  const margin = Math.min(150, innerWidth / 2)
  const middle = Math.min(Math.max(left + width / 2, margin), innerWidth - margin)
  return top > roomPx ? { left: middle, top: top - 6, side: 'above' } : { left: middle, top: bottom + 6, side: 'below' }
}

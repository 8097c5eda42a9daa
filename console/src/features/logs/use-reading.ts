import { useEffect, useState, type FocusEvent, type PointerEvent } from 'react'

/** Smaller scroll offsets are unintentional. */
const leastScroll = 24

const isInRow = (target: EventTarget) => target instanceof Element && target.closest('[data-row]') !== null

/** Whether the reader is reading the rows: hovers or focuses one, or has scrolled down. */
export function useReading() {
  const [isPointing, setPointing] = useState(false)
  const [isInside, setInside] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  useEffect(() => {
    const onScroll = () => setScrolled(window.scrollY > leastScroll)
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [])
  return {
    isReading: isPointing || isInside || isScrolled,
    listeners: {
      onPointerOver: ({ target, pointerType }: PointerEvent) => setPointing(pointerType !== 'touch' && isInRow(target)),
      onPointerLeave: () => setPointing(false),
      onFocus: ({ target }: FocusEvent) => setInside(isInRow(target)),
      onBlur: () => setInside(false),
    },
  }
}

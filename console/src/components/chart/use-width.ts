import { useCallback, useState } from 'react'

/** Returns the width in pixels of the element that gets `ref`; 0 until it is known. */
export function useWidth(): {
  readonly ref: (element: HTMLElement | null) => (() => void) | undefined
  readonly width: number
} {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

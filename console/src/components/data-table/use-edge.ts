import { useCallback } from 'react'

/** Marks an element that scrolls sideways while content is hidden beyond its end. */
export const useEdge = () =>
  useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const mark = () => {
      const isCut = element.scrollLeft + element.clientWidth < element.scrollWidth - 1
      element.toggleAttribute('data-is-cut', isCut)
    }
    // Called at first before the next paint, when the layout is known.
    const observer = new ResizeObserver(mark)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', mark)
    }
  }, [])

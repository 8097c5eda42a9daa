import { useCallback, useEffect, useRef, useState } from 'react'

/** Within this distance the reader counts as being at the end. */
const nearPx = 48

/** Keeps a scroll container at its end while its content grows, unless the reader scrolled away. */
export function useStickToEnd() {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isStuck = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    isStuck.current = true
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [])

  useEffect(() => {
    const element = box.current
    if (!element || !content.current) return undefined
    const onScroll = () => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx
      isStuck.current = isNear
      setAtEnd(isNear)
    }
    const observer = new ResizeObserver(() => {
      if (isStuck.current) element.scrollTop = element.scrollHeight
      else onScroll()
    })
    observer.observe(content.current)
    // The container itself resizes with its surroundings.
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [])

  return { box, content, isAtEnd, toEnd }
}

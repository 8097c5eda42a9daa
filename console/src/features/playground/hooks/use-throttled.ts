import { useEffect, useRef, useState } from 'react'

const leastMs = 60
const mostMs = 200
const charactersAMs = 150

/** How long a text is left as it is before it is drawn anew: the longer it is, the longer that takes. */
const pauseFor = (length: number): number => Math.min(mostMs, Math.max(leastMs, length / charactersAMs))

/** A text that grows, at a pace in which it can be drawn; once it is whole, at once. */
export function useThrottled(text: string, isGrowing: boolean): string {
  const [shown, setShown] = useState(text)
  const latest = useRef(text)
  latest.current = text
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (!isGrowing || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      setShown(latest.current)
    }, pauseFor(text.length))
  }, [text, isGrowing])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return isGrowing ? shown : text
}

import { useEffect, useRef, useState } from 'react'

const leastMs = 60
const mostMs = 200
const charactersAMs = 150

/** Minimum pause between renders: longer texts take longer. */
const pauseFor = (length: number): number => Math.min(mostMs, Math.max(leastMs, length / charactersAMs))

/** Throttles a growing text to a rate at which it can be rendered; a complete one is returned at once. */
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

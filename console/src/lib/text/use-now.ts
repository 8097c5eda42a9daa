import { useEffect, useState } from 'react'

/** Returns the unix time in whole seconds. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** Returns the time in milliseconds, updated every `stepMs` while the page is open. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs)
    return () => clearInterval(timer)
  }, [stepMs])
  return now
}

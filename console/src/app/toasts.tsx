import { lazy, Suspense, useEffect, useState } from 'react'

import { onFirstToast } from '../lib/notify'

const ToastArea = lazy(async () => ({ default: (await import('./toast-area')).ToastArea }))

/** Nothing, until something is said for the first time. */
export function Toasts() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => onFirstToast(() => setWanted(true)), [])
  return <Suspense>{isWanted && <ToastArea />}</Suspense>
}

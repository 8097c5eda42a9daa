import { lazy, Suspense, useEffect, useState } from 'react'

import { onFirstToast } from '../lib/browser/notify'

const ToastArea = lazy(async () => ({ default: (await import('./toast-area')).ToastArea }))

/** Renders nothing until the first toast. */
export function Toasts() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => onFirstToast(() => setWanted(true)), [])
  return <Suspense>{isWanted && <ToastArea />}</Suspense>
}

import { lazy, Suspense, useEffect, useState } from 'react'

import { onFirstToast } from '../lib/browser/notify'

const ToastArea = lazy(async () => ({ default: (await import('./toast-area')).ToastArea }))

/** Renders nothing until the first toast. */
export function Toasts() {
  const [isRequested, setRequested] = useState(false)
  useEffect(() => onFirstToast(() => setRequested(true)), [])
  return <Suspense>{isRequested && <ToastArea />}</Suspense>
}

import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { ApiError } from '@tollgate/contract'
import { useEffect } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { isServed } from '../../lib/api/is-served'
import { ErrorState } from './state-message'

/** Shown when a page cannot be rendered: the server is unreachable or the page is broken. */
export function PageError({ error, reset, title }: ErrorComponentProps & { readonly title?: string }) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  if (!(error instanceof ApiError)) return <BrokenPage error={error} title={title} />
  return (
    <ErrorState
      error={error}
      title={title}
      isPage
      onRetry={() => {
        queries.reset()
        reset()
        void router.invalidate()
      }}
    />
  )
}

/** A page whose code did not load or run: all that can be done is to reload it. It keeps its address. */
function BrokenPage({ error, title }: { readonly error: unknown; readonly title?: string }) {
  const { t } = useTranslation()
  const isMissing = error instanceof Error && missingFile.test(error.message)
  useEffect(() => {
    if (!isMissing) return undefined
    const retry = () => void reloadIfServed()
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [isMissing])
  const message = t(isMissing ? 'error.network' : 'error.page')
  return (
    <ErrorState
      error={new ApiError(message, isMissing ? 0 : -1, undefined, undefined)}
      title={title}
      onRetry={() => void reloadIfServed()}
    />
  )
}

/** How Chromium, Firefox and Safari report a module that failed to load, and Vite a style sheet. */
const missingFile = /dynamically imported module|importing a module script failed|unable to preload/i

/** Without the server, a reload would show the browser's own error page. */
async function reloadIfServed(): Promise<void> {
  if (await isServed()) location.reload()
}

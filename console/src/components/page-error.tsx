import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { ApiError } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { ErrorState } from './error-state'

/** When a page cannot be drawn at all: the server is away, or the page is broken. */
export function PageError({ error, reset, title }: ErrorComponentProps & { readonly title?: string }) {
  const { t } = useTranslation()
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const shown = error instanceof ApiError ? error : new ApiError(t('error.page'), -1, undefined, undefined)
  return (
    <ErrorState
      error={shown}
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

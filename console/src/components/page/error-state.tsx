import { Button } from '@mantine/core'
import { IconAlertTriangle, IconLock, IconPlugConnectedX } from '@tabler/icons-react'
import type { ApiError } from '@tollgate/contract'

import { ErrorText } from '../../lib/api/error-text'
import { useTranslation } from '../../lib/text/i18n'
import { StateMessage } from './state-message'

interface ErrorStateProps {
  readonly error: ApiError
  /** What failed; by default that something did. */
  readonly title?: string
  readonly onRetry?: () => void
  readonly isSmall?: boolean
  /** It is the only content of the page. */
  readonly isPage?: boolean
}

/** What happened and what to do next, where something could not be shown. */
export function ErrorState({ error, title, onRetry, isSmall, isPage }: ErrorStateProps) {
  const { t } = useTranslation()
  const isForbidden = error.status === 403
  return (
    <StateMessage
      icon={isForbidden ? IconLock : error.status === 0 ? IconPlugConnectedX : IconAlertTriangle}
      title={title ?? t(isForbidden ? 'error.forbidden' : 'error.title')}
      hint={<ErrorText error={error} />}
      isSmall={isSmall}
      isPage={isPage}
      isBarred
      action={
        onRetry &&
        !isForbidden && (
          <Button variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        )
      }
    />
  )
}

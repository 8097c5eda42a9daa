import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Icon, IconAlertTriangle, IconLock, IconPlugConnectedX } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ApiError } from '@tollgate/contract'

import { usePageTitle } from '../../lib/browser/use-page-title'
import { Barrier } from './barrier'
import { ErrorText } from '../../lib/api/error-text'
import { useTranslation } from '../../lib/text/i18n'

interface StateMessageProps {
  readonly icon: Icon
  readonly title: string
  readonly hint?: ReactNode
  /** The next step. */
  readonly action?: ReactNode
  readonly isSmall?: boolean
  /** Access is denied, as opposed to an empty state. */
  readonly isBarred?: boolean
  /** It is the only content of the page: its heading, and its name on the browser's tab. */
  readonly isPage?: boolean
}

/** Why there is nothing to see, and what to do about it. */
export function StateMessage({
  icon: StateIcon,
  title,
  hint,
  action,
  isSmall = false,
  isBarred = false,
  isPage = false,
}: StateMessageProps) {
  usePageTitle(isPage ? title : undefined)
  return (
    <Stack align="center" gap={8} py={isSmall ? 24 : 56} px="md" ta="center">
      <Barrier arm={isBarred ? 'down' : 'up'} sign={<StateIcon size={18} stroke={1.5} />} isSmall={isSmall} />
      <Text fw={600} m={0} mt={4} component={isPage ? 'h1' : 'p'}>
        {title}
      </Text>
      {hint && (
        <Text size="sm" c="dimmed" maw={460} component="div" style={{ overflowWrap: 'anywhere', textWrap: 'pretty' }}>
          {hint}
        </Text>
      )}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}

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

interface DeadEndProps {
  readonly icon: Icon
  readonly title: string
  readonly hint: string
  /** Where to go instead. */
  readonly to: LinkProps['to']
  readonly action: string
}

/** Shown instead of a page that the reader cannot open. */
export function DeadEnd({ icon, title, hint, to, action }: DeadEndProps) {
  return (
    <StateMessage
      icon={icon}
      title={title}
      hint={hint}
      isBarred
      isPage
      action={
        <Button variant="default" component={Link} to={to}>
          {action}
        </Button>
      }
    />
  )
}

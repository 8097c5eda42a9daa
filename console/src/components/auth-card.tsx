import { Divider, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

import { useTranslation } from '../lib/text/i18n'
import { usePageTitle } from '../lib/browser/use-page-title'

interface AuthCardProps {
  readonly title: string
  readonly hint?: ReactNode
  /** Maximum width in pixels. */
  readonly width?: number
  /** Buttons for other ways to sign in, listed below the form after an "or". */
  readonly providers?: ReactNode
  /** Links elsewhere: to register, to reset the password. */
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** The single form of a page: sign-in, registration, setup. */
export function AuthCard({ title, hint, width = 400, providers, footer, children }: AuthCardProps) {
  const { t } = useTranslation()
  usePageTitle(title)
  return (
    <Paper maw={width} mx="auto" mt={{ base: 8, sm: 40 }} p={{ base: 'md', sm: 'xl' }}>
      <Title order={1} mb={hint ? 4 : 'md'}>
        {title}
      </Title>
      {hint && (
        <Text size="sm" c="dimmed" component="div" mb="lg">
          {hint}
        </Text>
      )}
      {children}
      {providers && (
        <>
          <Divider my="lg" label={t('auth.or')} />
          <Stack gap="sm">{providers}</Stack>
        </>
      )}
      {footer && (
        <Text size="sm" c="dimmed" component="div" mt="lg" ta="center">
          {footer}
        </Text>
      )}
    </Paper>
  )
}

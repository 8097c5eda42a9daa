import { Skeleton, Stack } from '@mantine/core'
import { selfRoutes } from '@tollgate/contract'

import { ErrorState } from '../../../components/error-state'
import { useRead } from '../../../lib/query'
import { ExternalSection } from './external-section'
import { MailSection } from './mail-section'
import { PasswordSection } from './password-section'

const placeholderHeight = 320

/** What the reader signs in with. */
export function SignInTab() {
  const { data, error, refetch } = useRead(selfRoutes.getSelf, {})
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} isSmall />
    ) : (
      <Skeleton h={placeholderHeight} />
    )
  return (
    <Stack gap="md">
      <PasswordSection />
      <MailSection address={data.email} />
      <ExternalSection user={data} />
    </Stack>
  )
}

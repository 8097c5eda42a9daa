import { Stack } from '@mantine/core'
import { selfRoutes } from '@tollgate/contract'

import { useRead } from '../../../../lib/api/query'
import { ReadState } from '../read-state'
import { ExternalSection } from './external-section'
import { MailSection } from './mail-section'
import { PasswordSection } from './password-section'

const placeholderHeight = 320

/** The reader's ways to sign in. */
export function SignInTab() {
  const read = useRead(selfRoutes.getSelf, {})
  const { data } = read
  if (!data) return <ReadState read={read} height={placeholderHeight} />
  return (
    <Stack gap="md">
      <PasswordSection />
      <MailSection address={data.email} />
      <ExternalSection user={data} />
    </Stack>
  )
}

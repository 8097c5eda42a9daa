import { Stack } from '@mantine/core'
import { accountRoutes } from '@tollgate/contract'

import { useRead } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import classes from '../account.module.css'
import { ReadState } from '../account-section'
import { AccountCard } from './account-card'
import { CheckInCard } from './check-in-card'
import { InvitationCard } from './invitation-card'
import { ModelsCard } from './models-card'

const placeholderHeight = 220

/** The reader's account, ways to earn quota, and available models. */
export function OverviewTab() {
  const { check_in_enabled: hasCheckIn, aff_enabled: isRewarded, invitation_required: isRequired } = useSite()
  const read = useRead(accountRoutes.getSelf, {})
  const { data } = read
  if (!data) return <ReadState read={read} height={placeholderHeight} />
  return (
    <div className={classes.overview}>
      <Stack gap="md">
        <AccountCard user={data} />
        {hasCheckIn && <CheckInCard />}
      </Stack>
      <Stack gap="md">
        {/* Earnings can be transferred after invitations were disabled. */}
        {(isRewarded || isRequired || data.aff_quota > 0) && <InvitationCard user={data} />}
        <ModelsCard />
      </Stack>
    </div>
  )
}

import { Paper, Skeleton } from '@mantine/core'

import classes from './onboarding.module.css'

const steps = { admin: 4, own: 2 } as const

/** The checklist while its steps load, as high as it will be. */
export const WaitingSteps = ({ isAdmin }: { readonly isAdmin: boolean }) => (
  <Paper p="md" mb="md" className={classes.waiting} data-steps={isAdmin ? steps.admin : steps.own} aria-busy>
    <Skeleton h={20} w={180} />
  </Paper>
)

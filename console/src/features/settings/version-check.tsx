import { Paper } from '@mantine/core'

import { ReleaseCheck } from '../../components/release-check'
import classes from './settings.module.css'

/** Looks for a newer release by the address that is saved. */
export const VersionCheck = () => (
  <Paper className={classes.extra}>
    <ReleaseCheck />
  </Paper>
)

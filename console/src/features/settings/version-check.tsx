import { Paper } from '@mantine/core'

import { ReleaseCheck } from '../../domain/release-check'
import classes from './settings.module.css'

/** Checks for a newer release with the saved address. */
export const VersionCheck = () => (
  <Paper className={classes.extra}>
    <ReleaseCheck />
  </Paper>
)

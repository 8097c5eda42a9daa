import { Paper, Skeleton } from '@mantine/core'

import classes from './dashboard.module.css'

/** Height of the panels that are loading. */
const waitingHeight = 330

/** In the place of two panels that are loading. */
export const WaitingPair = () => (
  <div className={classes.pair} data-wide-first>
    {['latency', 'cache'].map((panel) => (
      <Paper key={panel} p="md">
        <Skeleton h={waitingHeight} />
      </Paper>
    ))}
  </div>
)

import type { Lane } from '../session/session'
import { LaneHead } from './lane-head'
import classes from './lanes.module.css'

interface LaneHeadsProps {
  readonly lanes: readonly Lane[]
  /** There is one model alone: it cannot be taken away. */
  readonly isOnly: boolean
}

/** The models above their columns. */
export function LaneHeads({ lanes, isOnly }: LaneHeadsProps) {
  return (
    <div className={classes.heads}>
      {lanes.map((lane) => (
        <LaneHead key={lane.id} lane={lane} isOnly={isOnly} />
      ))}
    </div>
  )
}

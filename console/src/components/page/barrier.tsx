import type { ReactNode } from 'react'

import classes from './barrier.module.css'

/** `down`: closed; `up`: open; `lifting`: opens once. */
export type BarrierArm = 'down' | 'up' | 'lifting'

interface BarrierProps {
  readonly arm: BarrierArm
  /** Shown on the post. */
  readonly sign?: ReactNode
  readonly isSmall?: boolean
}

/** The toll gate's barrier: the illustration of empty, failed and finished states. */
export function Barrier({ arm, sign, isSmall = false }: BarrierProps) {
  return (
    <div className={classes.barrier} data-arm={arm} data-is-small={isSmall || undefined} aria-hidden>
      <div className={classes.road} />
      <div className={classes.post} />
      <div className={classes.arm} />
      <div className={classes.sign}>{sign}</div>
    </div>
  )
}

import type { ReactNode } from 'react'

import classes from './barrier.module.css'

interface BarrierProps {
  /** `down`: closed; `up`: open; `lifting`: opens once. */
  readonly arm: 'down' | 'up' | 'lifting'
  /** Shown on the post. */
  readonly sign?: ReactNode
  readonly isSmall?: boolean
}

/** The toll gate's barrier: the illustration of empty, closed and loading states. */
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

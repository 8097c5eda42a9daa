import type { ReactNode } from 'react'

import classes from './barrier.module.css'

interface BarrierProps {
  /** `down`: no way through; `up`: free to pass; `lifting`: goes up once. */
  readonly arm: 'down' | 'up' | 'lifting'
  /** Stands on the post. */
  readonly sign?: ReactNode
  readonly isSmall?: boolean
}

/** The toll gate's barrier: what the console draws where there is nothing to show, no way through, or something to wait for. */
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

import type { ReactNode } from 'react'

import classes from './barrier.module.css'

/** `down`: closed, a call waits before it; `up`: open, the road is empty; `lifting`: opens once, and a call passes. */
export type BarrierArm = 'down' | 'up' | 'lifting'

interface BarrierProps {
  readonly arm: BarrierArm
  /** Shown in the window of the booth. */
  readonly sign?: ReactNode
  readonly isSmall?: boolean
}

/** The toll gate's barrier across its road: the illustration of failed (`down`), empty (`up`) and finished states (`lifting`). */
export function Barrier({ arm, sign, isSmall = false }: BarrierProps) {
  return (
    <div className={classes.barrier} data-arm={arm} data-is-small={isSmall || undefined} aria-hidden>
      <svg viewBox="0 0 168 96" fill="none">
        <path className={classes.road} d="M113 56h12l37 38H76z" />
        <path className={classes.lane} d="m119 60-1 6M118 71v7M118 83v9" />
        <path className={classes.ground} d="M4 94h160" />
        {arm !== 'up' && (
          <g className={classes.call} data-call={arm === 'down' ? 'waiting' : 'passed'}>
            <rect x="101" y="70" width="34" height="18" rx="5" />
            <path d={arm === 'down' ? 'M110 79h.01M118 79h.01M126 79h.01' : 'm112 79 4 4 8-8'} />
          </g>
        )}
        <rect className={classes.wall} x="22" y="36" width="40" height="58" rx="3" />
        <rect className={classes.window} x="28" y="44" width="28" height="28" rx="4" />
        <path className={classes.roof} d="M20 32h44" />
        <path className={classes.stripes} d="M26 32h36" />
        <path className={classes.post} d="M68 92V54" />
        <g className={classes.arm}>
          <path className={classes.edge} d="M68 52h92" />
          <path className={classes.beam} d="M68 52h92" />
          <path className={classes.stripes} d="M80 52h78" />
        </g>
      </svg>
      <div className={classes.sign}>{sign}</div>
    </div>
  )
}

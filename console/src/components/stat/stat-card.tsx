import { Skeleton } from '@mantine/core'
import { Children, type ReactNode } from 'react'
import { Link, type LinkProps } from '@tanstack/react-router'

import { Sparkline } from '../sparkline'
import classes from './stat.module.css'

interface StatCardProps {
  readonly name: string
  /** Undefined while loading. */
  readonly value: string | undefined
  readonly note?: ReactNode
  /** Its values over time. */
  readonly line?: readonly number[]
  /** Share left, 0 to 1, where there are no values over time. */
  readonly part?: number
  readonly tone?: 'bad'
  /** The rows behind the figure. */
  readonly link: Pick<LinkProps, 'to' | 'search'>
}

/** One figure: its name, a note, and its course below. Links to the rows that it counts. */
export function StatCard({ name, value, note, line, part, tone, link }: StatCardProps) {
  return (
    <Link {...link} className={classes.card} data-tone={tone}>
      <span className={classes.name}>{name}</span>
      {value === undefined ? <Skeleton h={28} w="60%" my={2} /> : <span className={classes.value}>{value}</span>}
      <span className={classes.notes}>{note}</span>
      <span className={classes.course}>
        {line && <Sparkline values={line} />}
        {part !== undefined && (
          <span className={classes.left}>
            <span style={{ width: `${part * 100}%` }} />
          </span>
        )}
      </span>
    </Link>
  )
}

/** Stat cards side by side, as cells of one panel. */
export function StatStrip({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.strip} data-count={Children.toArray(children).length}>
      {children}
    </div>
  )
}

interface StatFactProps {
  readonly name: string
  /** Null where there is none. */
  readonly value: string | null | undefined
  readonly note?: string | null | undefined
  /** Colour of its line in a chart. */
  readonly color?: string
}

/** A figure within a panel. */
export function StatFact({ name, value, note, color }: StatFactProps) {
  return (
    <div className={classes.fact}>
      <span className={classes.name}>
        {color && <span className={classes.swatch} style={{ background: color }} />}
        {name}
      </span>
      <span className={classes.factValue}>{value ?? '–'}</span>
      {note && <span className={classes.notes}>{note}</span>}
    </div>
  )
}

import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import classes from './dashboard.module.css'

interface Rank {
  readonly key: string
  readonly name: ReactNode
  /** Stands small beneath or behind the name. */
  readonly detail?: string
  readonly value: ReactNode
  /** Of the largest, 0 to 1. */
  readonly part: number
  readonly link: Pick<LinkProps, 'to' | 'search'>
}

interface RankingProps {
  readonly ranks: readonly Rank[]
  readonly tone?: 'bad'
}

/** Names by falling value, each over a bar of its length; each leads to its rows. */
export function Ranking({ ranks, tone }: RankingProps) {
  return (
    <ol className={classes.ranking} data-tone={tone}>
      {ranks.map(({ key, name, detail, value, part, link }) => (
        <li key={key}>
          <span className={classes.rankBar} style={{ width: `${part * 100}%` }} />
          <Link {...link}>{name}</Link>
          {detail && <span className={classes.rankDetail}>{detail}</span>}
          <span className={classes.rankValue}>{value}</span>
        </li>
      ))}
    </ol>
  )
}

import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import classes from './dashboard.module.css'

interface Rank {
  readonly key: string
  readonly name: ReactNode
  /** Small text below or after the name. */
  readonly detail?: string
  readonly value: ReactNode
  /** Share of the largest value, 0 to 1. */
  readonly part: number
  readonly link: Pick<LinkProps, 'to' | 'search'>
}

interface RankingProps {
  readonly ranks: readonly Rank[]
  readonly tone?: 'bad'
}

/** Names by descending value, each with a bar; each links to its rows. */
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

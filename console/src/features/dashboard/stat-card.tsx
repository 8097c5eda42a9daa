import { Group, Skeleton, Text } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'

import { Sparkline } from '../../components/sparkline'
import { useFormat } from '../../lib/use-format'
import classes from './dashboard.module.css'
import { growth } from './figures'

interface StatCardProps {
  readonly name: string
  readonly value: string | undefined
  readonly note?: string
  readonly line?: readonly number[]
  /** Against the span before. */
  readonly change?: { readonly now: number; readonly before: number }
  /** The rows behind the figure. */
  readonly link: Pick<LinkProps, 'to' | 'search'>
}

export function StatCard({ name, value, note, line, change, link }: StatCardProps) {
  const { share } = useFormat()
  const grown = change && growth(change.now, change.before)
  return (
    <Link {...link} className={classes.card}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      {value === undefined ? <Skeleton h={24} w="60%" my={4} /> : <div className={classes.value}>{value}</div>}
      <Group gap={6} mih={18} wrap="nowrap">
        {grown !== undefined && grown !== 0 && (
          <Text size="xs" c="dimmed" className="figures">
            {grown > 0 ? '▲' : '▼'} {share(Math.abs(grown))}
          </Text>
        )}
        {note && (
          <Text size="xs" c="dimmed" truncate>
            {note}
          </Text>
        )}
      </Group>
      <div className={classes.line}>{line && <Sparkline values={line} />}</div>
    </Link>
  )
}

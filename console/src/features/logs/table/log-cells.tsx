import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconArrowRight, IconTrendingDown } from '@tabler/icons-react'
import { logType, readLogDetails } from '@tollgate/contract'

import classes from '../logs.module.css'
import type { RowExpansion } from '../../../components/data-table/types'
import { ExpandButton } from '../../../components/data-table/row-controls'
import { Tip } from '../../../components/tip'
import { Money } from '../../../domain/money'
import { useFormat } from '../../../lib/text/use-format'
import { formatCompact } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { attemptsOf, isCall, type LogRow, statusOf, typeNameOf, upstreamStatusOf, vendorCostOf } from '../log-row'
import type { Excludable } from '../filters/exclusions'

interface CellProps {
  readonly row: LogRow
}

/** Outcome of a call: a dot and the status that the caller got, with the upstream's where it is another one. Other rows show their type. */
export function StatusCell({ row }: CellProps) {
  const { t } = useTranslation('logs')
  const { ending, error_code: code } = readLogDetails(row.other)
  const type = t(`type.${typeNameOf(row.type)}`)
  const tone = !isCall(row) ? 'quiet' : row.type === logType.error ? 'bad' : ending ? 'warn' : 'good'
  const upstream = upstreamStatusOf(row)
  const hint = ending ? t('endingCut', { ending }) : [isCall(row) && type, code].filter(Boolean).join(' · ')
  const status = (
    <Tip label={hint}>
      <span className={classes.status} data-tone={tone}>
        <span className={classes.dot} aria-hidden />
        {isCall(row) ? (statusOf(row) ?? type) : type}
        {upstream !== undefined && (
          <span className={classes.upstream}>
            {upstream > 0 ? t('upstreamStatus', { status: upstream }) : t('noUpstreamStatus')}
          </span>
        )}
        {isCall(row) && <VisuallyHidden>{type}</VisuallyHidden>}
      </span>
    </Tip>
  )
  return code ? <Filterable name="error">{status}</Filterable> : status
}

/** What a call cost its caller; marked where the vendor charges more for it. */
export function CostCell({ row }: CellProps) {
  const { t } = useTranslation('logs')
  const { money } = useFormat()
  const vendorCost = vendorCostOf(row)
  const cost = <Money quota={row.quota} />
  if (vendorCost === undefined || vendorCost <= row.quota) return cost
  return (
    <Tip label={t('belowCost', { cost: money(vendorCost) })}>
      <span className={classes.belowCost}>
        <IconTrendingDown size={14} aria-hidden />
        <VisuallyHidden>{t('belowCost', { cost: money(vendorCost) })}</VisuallyHidden>
        {cost}
      </span>
    </Tip>
  )
}

export function ChannelCell({ row: { channel, channel_name: name } }: CellProps) {
  if (!channel) return null
  return (
    <Tip label={`#${channel}`}>
      <span className={`${classes.cut} ${classes.channel}`}>{name || `#${channel}`}</span>
    </Tip>
  )
}

interface UserCellProps extends CellProps {
  readonly onUser: (id: number) => void
}

/** The name opens the user's card. */
export function UserCell({ row: { user_id: id, username }, onUser }: UserCellProps) {
  if (!username) return null
  return (
    <UnstyledButton
      className={`${classes.cut} ${classes.user}`}
      onClick={(event) => {
        event.stopPropagation()
        onUser(id)
      }}
    >
      {username}
    </UnstyledButton>
  )
}

export function ModelCell({ row }: CellProps) {
  const { t } = useTranslation('logs')
  const { is_model_mapped: isMapped, upstream_model_name: upstream } = readLogDetails(row.other)
  if (!row.model_name) return null
  const name = (
    <span className={`${classes.cut} ${classes.model}`} title={isMapped ? undefined : row.model_name}>
      {row.model_name}
    </span>
  )
  if (!isMapped || !upstream) return name
  return (
    <Tip label={t('mapped', { model: upstream })}>
      <span className={classes.mapped}>
        {name}
        <IconArrowRight size={13} />
      </span>
    </Tip>
  )
}

/** Prompt / completion tokens, and how much of the prompt was cached. */
export function TokensCell({ row }: CellProps) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  if (!isCall(row) || row.prompt_tokens + row.completion_tokens === 0) return null
  const { cache_tokens: cached } = readLogDetails(row.other)
  return (
    <>
      {`${number(row.prompt_tokens)} / ${number(row.completion_tokens)}`}
      {cached > 0 && (
        <Text fz="xs" c="dimmed">
          {t('cached', { tokens: formatCompact(cached) })}
        </Text>
      )}
    </>
  )
}

interface RetryCellProps extends CellProps {
  readonly expansion: Pick<RowExpansion<LogRow>, 'expanded' | 'onToggle'>
}

/** Number of attempts, where there were several: expands each attempt. The tooltip lists the channels in order. */
export function RetryCell({ row, expansion: { expanded, onToggle } }: RetryCellProps) {
  const { t } = useTranslation('logs')
  const attempts = attemptsOf(row)
  if (attempts.length < 2) return null
  const key = String(row.id)
  const channels = attempts.flatMap(({ channel }) => (channel === undefined ? [] : `#${channel}`))
  return (
    <Tip label={channels.join(' → ')}>
      <ExpandButton className={classes.retried} isExpanded={expanded.has(key)} onToggle={() => onToggle(key)}>
        {t('attempts.count', { count: attempts.length })}
      </ExpandButton>
    </Tip>
  )
}

export function CutText({ text, width }: { readonly text: string; readonly width: number }) {
  if (!text) return null
  return (
    <span className={classes.cut} style={{ maxWidth: width }} title={text}>
      {text}
    </span>
  )
}

/** The row's own text; for a charged call its tokens and prices. */
export function DetailsCell({ row }: { readonly row: LogRow }) {
  if (row.type === logType.error) return <Reason row={row} />
  return <Line text={row.content} isQuiet={row.type === logType.consumption} />
}

/** The gateway's sentence, and below it the upstream's, where the reader may see it. */
function Reason({ row }: { readonly row: LogRow }) {
  const { attempts = [] } = readLogDetails(row.other).admin_info ?? {}
  const reason = attempts.at(-1)?.reason
  return (
    <>
      <Line text={row.content} />
      {reason && reason !== row.content && <Line text={reason} isQuiet />}
    </>
  )
}

/** A line truncated at the end of its cell. */
export const Line = ({ text, isQuiet }: { readonly text: string; readonly isQuiet?: boolean }) =>
  text && (
    <div className={classes.line} data-is-quiet={isQuiet || undefined} title={text}>
      {text}
    </div>
  )

interface FilterableProps {
  readonly name: Excludable
  readonly children: ReactNode
}

/** A value that the log can be filtered by. The table opens its menu, see `useCellMenu`: too many cells for menus of their own. */
export const Filterable = ({ name, children }: FilterableProps) => (
  <span className={classes.filterable} data-filter={name}>
    {children}
    <span className={classes.filterSign} data-filter-menu aria-hidden />
  </span>
)

import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { logType, readLogOther } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { Tip } from '../../components/tip'
import { formatCompact } from '../../lib/format'
import { useFormat } from '../../lib/use-format'
import { isCall, statusOf, typeNameOf, type LogRow } from './log-row'
import classes from './logs.module.css'

interface CellProps {
  readonly row: LogRow
}

/** How the call ended: a dot and its status. Other rows say what they are. */
export function StatusCell({ row }: CellProps) {
  const { t } = useTranslation('logs')
  const { ending } = readLogOther(row.other)
  const type = t(`type.${typeNameOf(row.type)}`)
  const tone = !isCall(row) ? 'quiet' : row.type === logType.error ? 'bad' : ending ? 'warn' : 'good'
  return (
    <Tip label={ending ? t('panel.endingCut', { ending }) : isCall(row) && type}>
      <span className={classes.status} data-tone={tone}>
        <span className={classes.dot} aria-hidden />
        {isCall(row) ? (statusOf(row) ?? type) : type}
        {isCall(row) && <VisuallyHidden>{type}</VisuallyHidden>}
      </span>
    </Tip>
  )
}

export function ChannelCell({ row: { channel, channel_name: name } }: CellProps) {
  if (!channel) return null
  return (
    <Tip label={`#${channel}`}>
      <span className={classes.cut}>{name || `#${channel}`}</span>
    </Tip>
  )
}

interface UserCellProps extends CellProps {
  readonly onUser: (id: number) => void
}

/** The name leads to who that is. */
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
  const { is_model_mapped: isMapped, upstream_model_name: upstream } = readLogOther(row.other)
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

/** Prompt / completion, and how much of the prompt came from a cache. */
export function TokensCell({ row }: CellProps) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  if (!isCall(row) || row.prompt_tokens + row.completion_tokens === 0) return null
  const { cache_tokens: cached } = readLogOther(row.other)
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

/** The channels that were asked, in their order, where it was more than one. */
export function RetryCell({ row }: CellProps) {
  const { use_channel: chain = [] } = readLogOther(row.other).admin_info ?? {}
  if (chain.length < 2) return null
  return <span style={{ whiteSpace: 'nowrap' }}>{chain.map((id) => `#${id}`).join(' → ')}</span>
}

export function CutText({ text, width = 160 }: { readonly text: string; readonly width?: number }) {
  if (!text) return null
  return (
    <Text fz="inherit" truncate maw={width} title={text}>
      {text}
    </Text>
  )
}

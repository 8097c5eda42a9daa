import { Anchor, ActionIcon } from '@mantine/core'
import { modelReasons, readLogDetails, type LogDetails } from '@tollgate/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { IconFilter } from '@tabler/icons-react'

import classes from '../logs.module.css'
import { CopyField } from '../../../components/copy-button'
import { Facts } from '../../../components/facts'
import { useFormat } from '../../../lib/text/use-format'
import { formatTime } from '../../../lib/text/format'
import { useTranslation, type Translate } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import type { Excludable } from '../filters/exclusions'
import { isCall, typeNameOf, vendorCostOf, type LogRow } from '../log-row'
import type { LogSearch } from '../log-search'
import { valueOf, type RowValue } from '../table/row-values'
import { MenuButton } from '../../../components/menu-button'
import { useFilterItems } from '../table/cell-menu'

interface OverviewProps {
  readonly row: LogRow
  readonly search: LogSearch
  readonly onFilter: (change: LogSearch) => void
}

/** The row's columns and further details. */
export function Overview({ row, search, onFilter }: OverviewProps) {
  const { t } = useTranslation('logs', 'log-panel')
  const { number, quotaInDollars } = useFormat()
  const vendorCost = vendorCostOf(row)
  const other = readLogDetails(row.other)
  const speed = tokensPerSecond(row)
  const upstreamId = other.admin_info?.upstream_request_id
  const renderFilterable = (name: Excludable, shown?: ReactNode) => {
    const value = valueOf(row, name)
    return value && <FilteredFact value={value} shown={shown ?? value.label} search={search} onFilter={onFilter} />
  }
  const tokens = (count: number) => (count > 0 ? number(count) : '')
  return (
    <Facts
      facts={[
        [t('column.time'), formatTime(row.created_at)],
        [t('column.type'), t(`type.${typeNameOf(row.type)}`)],
        [t('log-panel:requestId'), row.request_id && <RequestId row={row} />],
        [
          t('log-panel:upstreamRequestId'),
          upstreamId && <CopyField value={upstreamId} label={t('log-panel:copyUpstreamRequestId')} />,
        ],
        [t('column.channel'), row.channel ? renderFilterable('channel', <ChannelLink row={row} />) : ''],
        [t('column.model'), renderFilterable('model')],
        [t('log-panel:requestedModel'), requestedModel(other, t)],
        [t('column.username'), renderFilterable('username')],
        [t('column.token'), renderFilterable('token')],
        [t('column.group'), renderFilterable('group')],
        [t('log-panel:upstreamModel'), other.is_model_mapped && other.upstream_model_name],
        [t('log-panel:effort'), other.reasoning_effort],
        [t('log-panel:endpoint'), other.endpoint],
        [t('log-panel:connection'), other.ws && 'WebSocket'],
        [t('log-panel:dialect'), dialects(other)],
        [t('log-panel:prompt'), tokens(row.prompt_tokens)],
        [t('log-panel:cached'), tokens(other.cache_tokens)],
        [t('log-panel:completion'), tokens(row.completion_tokens)],
        [t('log-panel:reasoning'), tokens(other.reasoning_tokens)],
        [t('log-panel:images'), imagesIn(other)],
        [t('log-panel:speed'), speed !== undefined && t('log-panel:perSecond', { tokens: number(speed) })],
        [t('log-panel:serviceTier'), [other.service_tier, other.speed].filter(Boolean).join(', ')],
        [t('log-panel:inferenceGeo'), other.inference_geo],
        [t('column.ip'), row.client_ip],
        [t('log-panel:errorType'), other.error_type],
        [t('log-panel:errorCode'), renderFilterable('error')],
        [t('log-panel:refusedCalls'), other.refused_calls > 1 && number(other.refused_calls)],
        [t('log-panel:plan'), other.plan],
        [t('log-panel:vendorCost'), vendorCost !== undefined && quotaInDollars(vendorCost)],
        [t('log-panel:profit'), vendorCost !== undefined && quotaInDollars(row.quota - vendorCost)],
        [t('log-panel:maxTokensLowered'), tokens(other.max_tokens_lowered)],
        [t('log-panel:dropped'), other.dropped.join(', ')],
        [t('log-panel:ending'), other.ending && t('endingCut', { ending: other.ending })],
        // For a call, the headline and the cost already say this.
        [t('column.details'), !isCall(row) && row.content],
      ]}
    />
  )
}

/** Returns the dialects of the caller and, if different and visible to the reader, of the channel. */
/** Returns what the call named, where another model served it, and why. */
function requestedModel(
  { requested_model: model, model_reason: named }: LogDetails,
  t: Translate<'logs'>,
): string | undefined {
  const reason = modelReasons.find((one) => one === named)
  return model && reason ? t('log-panel:requestedFor', { model, reason: t(`log-panel:modelReason.${reason}`) }) : model
}

const dialects = ({ dialect, admin_info: admin }: LogDetails) =>
  dialect && admin?.upstream_dialect && admin.upstream_dialect !== dialect
    ? `${dialect} → ${admin.upstream_dialect}`
    : dialect

/** A call may have several rows: each failed attempt, and the charged one. */
function RequestId({ row: { id, request_id: request } }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs', 'log-panel')
  return (
    <>
      <CopyField value={request} label={t('log-panel:copyRequestId')} />
      <Anchor
        size="xs"
        renderRoot={(props) => <Link to="/app/logs/api-usage" search={{ request, open: id }} {...props} />}
      >
        {t('log-panel:sameCall')}
      </Anchor>
    </>
  )
}

/** Links to the settings of the channel, for readers who may see them. */
function ChannelLink({ row: { channel = 0, channel_name: name } }: { readonly row: LogRow }) {
  const label = name || `#${channel}`
  if (!useViewer().may('channels.read')) return label
  return (
    <Anchor inherit renderRoot={(props) => <Link to="/admin/channels" search={{ edit: channel }} {...props} />}>
      {label}
    </Anchor>
  )
}

/** The number of generated images with their size and quality. */
const imagesIn = ({ image_count: count, image_size: size, image_quality: quality }: LogDetails): string =>
  !count ? '' : [count, size, quality].filter(Boolean).join(', ')

interface FilteredFactProps {
  readonly value: RowValue
  readonly shown: ReactNode
  readonly search: LogSearch
  readonly onFilter: (change: LogSearch) => void
}

/** A value of the open row, linked to the log filtered by it. */
function FilteredFact({ value, shown, search, onFilter }: FilteredFactProps) {
  const { t } = useTranslation('logs', 'log-panel')
  const items = useFilterItems(search, onFilter)
  const label = t('cell.filterBy', { name: t(`filter.${value.name}`) })
  return (
    <span className={classes.filteredFact}>
      {shown}
      <MenuButton
        label={label}
        items={items(value)}
        trigger={(props) => (
          <ActionIcon size={24} aria-label={label} {...props}>
            <IconFilter size={13} />
          </ActionIcon>
        )}
      />
    </span>
  )
}

/** A shorter stream was buffered and sent at once: its duration says nothing about the speed of generation. */
const minStreamMs = 100

/** Returns the speed of generation: from the first token for streams, over the whole call otherwise. */
function tokensPerSecond(row: LogRow): number | undefined {
  const { use_time_ms: wholeMs, frt: firstTokenMs = -1 } = readLogDetails(row.other)
  if (typeof wholeMs !== 'number' || row.completion_tokens === 0) return undefined
  const streamMs = row.is_stream && firstTokenMs >= 0 ? wholeMs - firstTokenMs : 0
  const ms = streamMs >= minStreamMs ? streamMs : wholeMs
  return ms > 0 ? Math.round((row.completion_tokens * 1000) / ms) : undefined
}

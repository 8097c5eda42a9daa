import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useCallback } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { useRowExpansion } from '../../components/data-table/row-controls'
import { ListWithPanel } from '../../components/peek/list-with-panel'
import { usePeek } from '../../components/peek/use-peek'
import { useTranslation } from '../../lib/text/i18n'
import { ChannelActions, ViewAction } from './channel-actions'
import { ChannelFilters } from './channel-filters'
import { channelsOf, isEnabled, keyOf, rolledUp, type Channel, type Row } from './channel-row'
import type { ChannelSearch } from './channel-search'
import type { Opened, RunKind } from './dialogs'
import {
  type ChannelList,
  type ChannelListState,
  type ListModes,
  useChannelLive,
  useChannelRights,
  useOpenChannel,
  useVendors,
} from './channel-data'
import { useChannelColumns } from './channel-columns'
import { useChannelWrites } from './use-channel-writes'
import { usePriorityDrag } from './use-priority-drag'

const BulkActions = lazy(async () => ({ default: (await import('./bulk-actions')).BulkActions }))
const ChannelPanel = lazy(async () => ({ default: (await import('./channel-panel')).ChannelPanel }))

interface ChannelsTableProps {
  readonly search: ChannelSearch
  readonly setSearch: (change: Partial<ChannelSearch>) => void
  readonly modes: ListModes
  readonly list: ChannelListState
  readonly channels: ChannelList
  readonly onOpen: (opened: Opened) => void
  readonly onRun: (kind: RunKind, channels: readonly Channel[]) => void
  readonly onExport: (channels: readonly Channel[]) => void
}

/** The channels, or their tags with the channels inside. */
export function ChannelsTable(props: ChannelsTableProps) {
  const { search, setSearch, modes, list, onOpen, onRun, onExport } = props
  const { t } = useTranslation('channels')
  const vendors = useVendors()
  const writes = useChannelWrites()
  const { mayWrite, mayEnterKeys } = useChannelRights()
  const tags = useRowExpansion()
  const onKeys = (channel: Channel) => onOpen({ kind: 'keys', channel })
  const { page, size, sort } = list.part
  const channels = props.channels.data?.items
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const opened = useOpenChannel(search.open, channels)
  const isElsewhere = opened.channel !== undefined && !channels?.includes(opened.channel)
  const work = useChannelLive(isElsewhere && opened.channel ? [...(channels ?? []), opened.channel] : channels)
  const peek = usePeek(search.open, channels, open)
  const drag = usePriorityDrag({
    channels,
    isLastPage: page * size >= (props.channels.data?.total ?? 0),
    isEnabled: mayWrite && sort === undefined && !modes.isIdSort && !modes.isTagMode,
    onMove: writes.movePriority,
  })
  const columns = useChannelColumns({
    vendors,
    writes: mayWrite ? writes : undefined,
    work,
    grip: drag.grip,
    tags,
    onKeys,
  })
  const edit = (row: Row) =>
    row.kind === 'tag' ? onOpen({ kind: 'tag', tag: row.tag }) : setSearch({ edit: String(row.channel.id) })
  const vendorOf = (row: Row) =>
    row.kind === 'channel' ? vendors.find(({ type }) => type === row.channel.type) : undefined
  return (
    <>
      <ListWithPanel
        panel={
          search.open !== undefined && (
            <ChannelPanel
              {...opened}
              {...peek.panel}
              vendors={vendors}
              writes={mayWrite ? writes : undefined}
              work={work}
              onEdit={({ id }) => setSearch({ edit: String(id) })}
            />
          )
        }
      >
        <DataTable
          id="channels"
          label={t('title')}
          columns={columns}
          source={{
            rows: channels && (modes.isTagMode ? rolledUp(channels, tags.expanded) : channels.map(asRow)),
            isPending: props.channels.isPending,
            isFetching: props.channels.isFetching,
            // Earlier data stays when it cannot be refreshed.
            error: channels ? null : props.channels.error,
            onRetry: () => void props.channels.refetch(),
          }}
          rowKey={keyOf}
          openKey={peek.table.openKey}
          onOpen={(row) => (row.kind === 'tag' ? tags.onToggle(row.tag) : peek.table.onOpen(row.channel))}
          isMuted={(row) => !channelsOf(row).some(isEnabled)}
          rowActions={(row) =>
            mayWrite ? (
              <ChannelActions
                row={row}
                writes={writes}
                vendor={vendorOf(row)}
                onEdit={edit}
                onTest={(channel) => onOpen({ kind: 'test', channel })}
                onKeys={onKeys}
              />
            ) : (
              row.kind === 'channel' && <ViewAction onView={() => edit(row)} />
            )
          }
          selection={{
            ...list.selection,
            actions: (rows, clear) => (
              <Suspense>
                <BulkActions channels={distinct(rows)} onRun={onRun} onExport={onExport} onDone={clear} />
              </Suspense>
            ),
          }}
          {...list.tableOf(props.channels.data?.total)}
          toolbar={<ChannelFilters vendors={vendors} search={search} onChange={list.filter} />}
          empty={{
            title: t('empty.title'),
            hint: t('empty.hint'),
            action: mayEnterKeys && (
              <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
                {t('add')}
              </Button>
            ),
          }}
        />
      </ListWithPanel>
      {work.nodes > 1 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('live.oneNode', { count: work.nodes })}
        </Text>
      )}
      {drag.shown}
    </>
  )
}

const asRow = (channel: Channel): Row => ({ kind: 'channel', channel, isChild: false })

/** A tag and one of its channels may both be selected. */
const distinct = (rows: readonly Row[]) => [
  ...new Map(rows.flatMap(channelsOf).map((channel) => [channel.id, channel])).values(),
]

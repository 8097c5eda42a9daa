import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconRefresh } from '@tabler/icons-react'
import { channelStatus } from '@tollgate/contract'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { DataTable } from '../../components/data-table/data-table'
import { usePage } from '../../components/data-table/use-page'
import { FilterBar } from '../../components/filter-bar'
import { PageHeader } from '../../components/page-header'
import { Tip } from '../../components/tip'
import { useFormat } from '../../lib/use-format'
import { BulkActions } from './bulk-actions'
import { ChannelActions } from './channel-actions'
import { channelsOf, isEnabled, keyOf, rolledUp, type Channel, type Row } from './channel-row'
import { isFiltered } from './channel-search'
import { Dialogs, type Opened } from './dialogs'
import { exportChannels } from './editor/export-channels'
import { ListMenu } from './list-menu'
import { ProgressLines } from './progress-line'
import { useChannelColumns } from './use-channel-columns'
import { useChannels, useChannelSearch, useGroups, useListModes, useVendors } from './use-channels'
import { useChannelWrites } from './use-channel-writes'
import { useRuns } from './use-runs'

const noFilters = { keyword: undefined, group: undefined, model: undefined, status: undefined, type: undefined }

/** Upstream channels: which there are, how they fare, and all that is done with them. */
export function ChannelsPage() {
  const { t } = useTranslation('channels')
  const { search, setSearch } = useChannelSearch()
  const modes = useListModes()
  const paging = usePage(search, setSearch)
  const list = useChannels(search, { ...paging, ...modes })
  const vendors = useVendors()
  const writes = useChannelWrites()
  const runs = useRuns()
  const [openTags, setOpenTags] = useState<ReadonlySet<string>>(new Set())
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const [opened, open] = useState<Opened | undefined>()
  const toggleTag = useCallback((tag: string) => setOpenTags((tags) => toggled(tags, tag)), [])
  const onKeys = useCallback((channel: Channel) => open({ kind: 'keys', channel }), [])
  const columns = useChannelColumns({ vendors, writes, opened: openTags, onToggle: toggleTag, onKeys })
  const channels = list.data?.items
  const rows = channels && (modes.isTagMode ? rolledUp(channels, openTags) : channels.map(asRow))
  const edit = (row: Row) =>
    row.kind === 'tag' ? open({ kind: 'tag', tag: row.tag }) : setSearch({ edit: String(row.channel.id) })
  return (
    <>
      <PageHeader title={t('title')}>
        <Tip label={t('refresh')}>
          <ActionIcon variant="default" aria-label={t('refresh')} onClick={() => void list.refetch()}>
            <IconRefresh size={17} />
          </ActionIcon>
        </Tip>
        <ListMenu
          modes={modes}
          onRoute={() => open({ kind: 'route' })}
          onImport={() => open({ kind: 'import' })}
          onExport={() => exportChannels(channels ?? [])}
        />
        <Button leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
          {t('add')}
        </Button>
      </PageHeader>
      <ProgressLines />
      <DataTable
        id="channels"
        label={t('title')}
        columns={columns}
        source={{
          rows,
          isPending: list.isPending,
          isFetching: list.isPlaceholderData,
          error: list.error,
          onRetry: () => void list.refetch(),
        }}
        rowKey={keyOf}
        isMuted={(row) => !channelsOf(row).some(isEnabled)}
        rowActions={(row) => (
          <ChannelActions
            row={row}
            writes={writes}
            onEdit={edit}
            onTest={(channel) => open({ kind: 'test', channel })}
            onKeys={onKeys}
          />
        )}
        selection={{
          selected,
          onChange: select,
          actions: (picked, clear) => (
            <BulkActions
              channels={[...new Map(picked.flatMap(channelsOf).map((channel) => [channel.id, channel])).values()]}
              onRun={runs.start}
              onDone={clear}
            />
          ),
        }}
        toolbar={<ChannelFilters vendors={vendors} />}
        onClearFilters={isFiltered(search) ? () => setSearch({ ...noFilters, page: undefined }) : undefined}
        empty={{
          title: t('empty.title'),
          hint: t('empty.hint'),
          action: <Button onClick={() => setSearch({ edit: 'new' })}>{t('add')}</Button>,
        }}
        paging={{ ...paging, total: list.data?.total ?? 0 }}
      />
      <Dialogs
        opened={opened}
        onClose={() => open(undefined)}
        edit={search.edit}
        onCloseEditor={() => setSearch({ edit: undefined })}
        run={runs.run}
        onCloseRun={runs.close}
      />
    </>
  )
}

const asRow = (channel: Channel): Row => ({
  kind: 'channel',
  channel,
  isChild: false,
})

function toggled(tags: ReadonlySet<string>, tag: string): ReadonlySet<string> {
  const next = new Set(tags)
  if (!next.delete(tag)) next.add(tag)
  return next
}

function ChannelFilters({ vendors }: { readonly vendors: ReturnType<typeof useVendors> }) {
  const { t } = useTranslation('channels')
  const { language } = useFormat()
  const { search, setSearch } = useChannelSearch()
  const groups = useGroups()
  const text = (value: number | undefined) => (value === undefined ? undefined : String(value))
  return (
    <FilterBar
      filters={[
        { name: 'keyword', kind: 'text', label: t('filter.keyword'), isSearch: true },
        { name: 'model', kind: 'text', label: t('filter.model') },
        {
          name: 'group',
          kind: 'choice',
          label: t('filter.group'),
          choices: groups.map((group) => ({ value: group, label: group })),
        },
        {
          name: 'status',
          kind: 'choice',
          label: t('filter.status'),
          width: 130,
          choices: (['enabled', 'disabled', 'autoDisabled'] as const).map((name) => ({
            value: String(channelStatus[name]),
            label: t(`status.${name}`),
          })),
        },
        {
          name: 'type',
          kind: 'choice',
          label: t('filter.type'),
          choices: vendors.map(({ type, name }) => ({ value: String(type), label: name[language] })),
        },
      ]}
      values={{ ...search, status: text(search.status), type: text(search.type) }}
      onChange={(change) => setSearch({ ...asSearch(change), page: undefined })}
    />
  )
}

/** Numbers are numbers in the address. */
const asSearch = (change: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(change).map(([name, value]) => [
      name,
      value !== undefined && (name === 'status' || name === 'type') ? Number(value) : value,
    ]),
  )

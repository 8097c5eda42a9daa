import { Button, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { priceSyncRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { DataTable } from '../../../components/data-table/data-table'
import type { Column } from '../../../components/data-table/types'
import { StatusBadge } from '../../../components/status-badge'
import { TimeAgo } from '../../../components/time-ago'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import classes from './price-sync.module.css'
import { sourceName } from './source-name'

const SourceDrawer = lazy(async () => ({ default: (await import('./source-drawer')).SourceDrawer }))

type Source = priceSyncRoutes.PriceSource

interface SourcesProps {
  readonly sources: readonly Source[]
  readonly mayWrite: boolean
}

/** Sources of prices and their last results. */
export function Sources({ sources, mayWrite }: SourcesProps) {
  const { t } = useTranslation('price-sync')
  const [edited, setEdited] = useState<Source | 'new' | undefined>()
  const columns = useSourceColumns()
  return (
    <section className={classes.part}>
      <div className={classes.head}>
        <Title order={2} size="h4">
          {t('sources.title')}
        </Title>
      </div>
      <DataTable
        id="price-sources"
        label={t('sources.title')}
        columns={columns}
        rowKey={({ name }) => name}
        source={{ rows: sources, isPending: false, error: null, onRetry: () => {} }}
        isMuted={({ url }) => url === ''}
        isBad={({ failure }) => failure !== ''}
        rowActions={
          mayWrite
            ? (source) =>
                source.kind === 'channel' && (
                  <Button variant="subtle" onClick={() => setEdited(source)}>
                    {t('sources.edit')}
                  </Button>
                )
            : undefined
        }
        empty={{ title: t('sources.title'), hint: '', action: null }}
        toolbar={
          mayWrite && (
            <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setEdited('new')}>
              {t('sources.add')}
            </Button>
          )
        }
      />
      {edited && (
        <Suspense>
          <SourceDrawer source={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </section>
  )
}

function useSourceColumns(): readonly Column<Source>[] {
  const { t } = useTranslation('price-sync')
  const { number } = useFormat()
  return [
    {
      id: 'name',
      title: t('sources.name'),
      isFixed: true,
      isWide: true,
      card: 'title',
      cardCell: sourceName,
      cell: (source) => (
        <>
          {sourceName(source)}
          <Text size="xs" c="dimmed" truncate title={source.url}>
            {source.url === '' ? t('sources.unused') : source.url}
          </Text>
        </>
      ),
    },
    {
      id: 'use',
      title: t('sources.use'),
      card: 'fact',
      hiddenBelow: 'middle',
      cell: (source) => <Use source={source} />,
    },
    { id: 'state', title: t('sources.state'), card: 'trailing', cell: (source) => <State source={source} /> },
    {
      id: 'last',
      title: t('sources.lastRun'),
      card: 'fact',
      cell: ({ last_run_at: at }) => (at === null ? t('never') : <TimeAgo at={at} />),
    },
    {
      id: 'success',
      title: t('sources.lastSuccess'),
      card: 'fact',
      hiddenBelow: 'middle',
      cell: ({ last_success_at: at }) => (at === null ? t('never') : <TimeAgo at={at} />),
    },
    {
      id: 'models',
      title: t('sources.models'),
      align: 'end',
      card: 'fact',
      cell: ({ kind, models }) => (kind === 'rate' ? '–' : number(models)),
    },
  ]
}

function Use({ source: { kind, use, group } }: { readonly source: Source }) {
  const { t } = useTranslation('price-sync')
  return kind === 'channel' ? t(`use.${use}`, { group }) : t(`use.${kind}`)
}

function State({ source }: { readonly source: Source }) {
  const { t } = useTranslation('price-sync')
  const { failure, status, url, last_run_at: last } = source
  if (url === '') return <StatusBadge tone="neutral">{t('state.unused')}</StatusBadge>
  if (failure !== '')
    return (
      <StatusBadge tone="bad" reason={t(`failure.${failure}`, { status: String(status ?? '') })}>
        {t('state.failed')}
      </StatusBadge>
    )
  return last === null ? (
    <StatusBadge tone="neutral">{t('state.waiting')}</StatusBadge>
  ) : (
    <StatusBadge tone="good">{t('state.read')}</StatusBadge>
  )
}

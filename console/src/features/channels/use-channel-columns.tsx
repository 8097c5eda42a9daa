import { channelRoutes } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Column } from '../../components/data-table/types'
import { Money } from '../../components/money'
import {
  Balance,
  ChannelName,
  ChannelStatus,
  KeyCount,
  ModelCount,
  ResponseTime,
  TagName,
  type Vendor,
} from './channel-cells'
import { channelsOf, common, listOf, type Channel, type Row } from './channel-row'
import classes from './channels.module.css'
import { NumberCell } from './number-cell'
import type { ChannelWrites } from './use-channel-writes'

interface ColumnParts {
  readonly vendors: readonly Vendor[]
  readonly writes: ChannelWrites
  readonly opened: ReadonlySet<string>
  readonly onToggle: (tag: string) => void
  readonly onKeys: (channel: Channel) => void
}

const leastWeight = 0

/** What is shown of a channel; of a tag, what its channels have in common. */
export function useChannelColumns({ vendors, writes, opened, onToggle, onKeys }: ColumnParts): readonly Column<Row>[] {
  const { t } = useTranslation('channels')
  const vendorOf = (channel: Channel) => vendors.find(({ type }) => type === channel.type)
  const numberCell = (key: 'priority' | 'weight', least: number) => (row: Row) => {
    const name = row.kind === 'tag' ? row.tag : row.channel.name
    return (
      <NumberCell
        label={`${t(`column.${key}`)}: ${name}`}
        value={common(channelsOf(row), key)}
        least={least}
        onSave={(value) =>
          row.kind === 'tag' ? writes.setTagNumber(row.tag, key, value) : writes.setNumber(row.channel, key, value)
        }
      />
    )
  }
  return [
    {
      id: 'id',
      title: t('column.id'),
      card: 'hidden',
      from: 'middle',
      cell: one(({ id }) => <span className="figures">{id}</span>),
    },
    {
      id: 'name',
      title: t('column.name'),
      isFixed: true,
      card: 'title',
      cell: (row) =>
        row.kind === 'tag' ? (
          <TagName row={row} isOpen={opened.has(row.tag)} onToggle={() => onToggle(row.tag)} />
        ) : (
          <ChannelName row={row} vendor={vendorOf(row.channel)} />
        ),
    },
    {
      id: 'group',
      title: t('column.group'),
      card: 'hidden',
      under: 'status',
      alone: 'wide',
      from: 'middle',
      cell: (row) => <Listed values={channelsOf(row).flatMap(({ group }) => listOf(group))} />,
    },
    { id: 'status', title: t('column.status'), card: 'aside', cell: (row) => <ChannelStatus row={row} /> },
    {
      id: 'response',
      card: 'plain',
      from: 'middle',
      title: t('column.response'),
      cell: one((channel) => <ResponseTime channel={channel} writes={writes} />),
    },
    {
      id: 'used',
      title: t('column.used'),
      align: 'end',
      card: 'fact',
      cell: (row) => <Money quota={channelsOf(row).reduce((sum, { used_quota: used }) => sum + used, 0)} />,
    },
    {
      id: 'balance',
      title: t('column.balance'),
      align: 'end',
      card: 'hidden',
      under: 'used',
      alone: 'wide',
      cell: one((channel) => (vendorOf(channel)?.has_balance ? <Balance channel={channel} writes={writes} /> : null)),
    },
    {
      id: 'priority',
      title: t('column.priority'),
      align: 'end',
      card: 'fact',
      from: 'middle',
      cell: numberCell('priority', channelRoutes.lowestPriority),
    },
    {
      id: 'weight',
      title: t('column.weight'),
      align: 'end',
      card: 'fact',
      from: 'middle',
      cell: numberCell('weight', leastWeight),
    },
    {
      id: 'tag',
      title: t('column.tag'),
      card: 'fact',
      from: 'wide',
      cell: one(({ tag }) => tag && <Listed values={[tag]} />),
    },
    {
      id: 'keys',
      title: t('column.keys'),
      align: 'end',
      card: 'hidden',
      from: 'wide',
      cell: one((channel) => <KeyCount channel={channel} onOpen={() => onKeys(channel)} />),
    },
    {
      id: 'models',
      title: t('column.models'),
      align: 'end',
      card: 'hidden',
      from: 'wide',
      cell: one((channel) => <ModelCount channel={channel} />),
    },
  ]
}

/** For what a tag as a whole does not have. */
const one = (draw: (channel: Channel) => ReactNode) => (row: Row) => (row.kind === 'channel' ? draw(row.channel) : null)

function Listed({ values }: { readonly values: readonly string[] }) {
  const text = [...new Set(values)].join(', ')
  return (
    <span className={classes.listed} title={text}>
      {text}
    </span>
  )
}

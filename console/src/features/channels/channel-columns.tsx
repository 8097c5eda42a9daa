import { channelRoutes } from '@tollgate/contract'
import type { ReactNode } from 'react'

import classes from './channels.module.css'
import { LateFact } from '../../components/data-table/late-fact'
import type { Column, RowExpansion } from '../../components/data-table/types'
import { Money } from '../../domain/money'
import { useTranslation } from '../../lib/text/i18n'
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
import { channelsOf, common, isTestable, listOf, type Channel, type Row } from './channel-row'
import { CallsInFlight, LastFailure, Latency } from './live-cells'
import { TrafficStrip } from './traffic-strip'
import type { ChannelsAtWork } from './channel-data'
import type { ChannelWrites } from './use-channel-writes'
import { CellInput } from '../../components/fields/cell-input'

interface ColumnDeps {
  readonly vendors: readonly Vendor[]
  /** Undefined for readers without write access. */
  readonly writes: ChannelWrites | undefined
  readonly work: ChannelsAtWork
  /** Renders the drag handle of a row. */
  readonly grip: (row: Row) => ReactNode
  /** Which tags are expanded. */
  readonly tags: Pick<RowExpansion<never>, 'expanded' | 'onToggle'>
  readonly onKeys: (channel: Channel) => void
}

const minWeight = 0

/** Columns of a channel; for a tag, the values its channels share. */
export function useChannelColumns(deps: ColumnDeps): readonly Column<Row>[] {
  const { t } = useTranslation('channels')
  const { vendors, writes } = deps
  const vendorOf = (channel: Channel) => vendors.find(({ type }) => type === channel.type)
  const numberCell = (key: 'priority' | 'weight', min: number) => (row: Row) => {
    const name = row.kind === 'tag' ? row.tag : row.channel.name
    if (!writes) return <span className="figures">{common(channelsOf(row), key)}</span>
    return (
      <NumberCell
        label={`${t(`column.${key}`)}: ${name}`}
        value={common(channelsOf(row), key)}
        min={min}
        onSave={(value) =>
          row.kind === 'tag' ? writes.setTagNumber(row.tag, key, value) : writes.setNumber(row.channel, key, value)
        }
      />
    )
  }
  const balanceOf = (channel: Channel) =>
    vendorOf(channel)?.has_balance ? <Balance channel={channel} writes={writes} /> : null
  const context: ColumnContext = { ...deps, t, vendorOf, numberCell, balanceOf }
  return [identityColumns, healthColumns, moneyColumns, orderColumns, contentColumns].flatMap((columns) =>
    columns(context),
  )
}

interface ColumnContext extends ColumnDeps {
  readonly t: ReturnType<typeof useTranslation<'channels'>>['t']
  readonly vendorOf: (channel: Channel) => Vendor | undefined
  /** Renders a number that is edited in place. */
  readonly numberCell: (key: 'priority' | 'weight', min: number) => (row: Row) => ReactNode
  /** Null for vendors whose balance cannot be read. */
  readonly balanceOf: (channel: Channel) => ReactNode
}

/** Id and tag are shown in the name cell by default, as groups are; as columns of their own on request. */
const identityColumns = ({ t, tags, vendorOf }: ColumnContext): readonly Column<Row>[] => [
  {
    id: 'name',
    title: t('column.name'),
    isFixed: true,
    isSortable: true,
    card: 'title',
    cell: (row) =>
      row.kind === 'tag' ? (
        <TagName row={row} isOpen={tags.expanded.has(row.tag)} onToggle={() => tags.onToggle(row.tag)} />
      ) : (
        <ChannelName row={row} vendor={vendorOf(row.channel)} />
      ),
  },
  {
    id: 'id',
    title: t('column.id'),
    isSortable: true,
    isHiddenAtFirst: true,
    card: 'hidden',
    cell: one(({ id }) => <span className="figures">{id}</span>),
  },
  {
    id: 'tag',
    title: t('column.tag'),
    isSortable: true,
    isHiddenAtFirst: true,
    card: 'hidden',
    cell: one(({ tag }) => tag && <Listed values={[tag]} />),
  },
]

/** How the channel is doing. */
const healthColumns = ({ t, work, writes, vendorOf }: ColumnContext): readonly Column<Row>[] => [
  {
    id: 'status',
    card: 'trailing',
    title: t('column.status'),
    isSortable: true,
    cell: (row) => (
      <ChannelStatus
        row={row}
        live={row.kind === 'channel' ? work.liveOf(row.channel.id) : undefined}
        traffic={row.kind === 'channel' ? work.trafficOf(row.channel.id) : undefined}
      />
    ),
  },
  {
    id: 'failure',
    title: t('column.failure'),
    stackBelow: 'status',
    cell: one(({ id }) => <LastFailure live={work.liveOf(id)} />),
  },
  {
    id: 'failures',
    title: t('column.traffic'),
    isSortable: true,
    cell: one(({ id }) => <TrafficStrip traffic={work.trafficOf(id)} times={work.times} />),
  },
  {
    id: 'inFlight',
    stackBelow: 'latency',
    title: t('column.inFlight'),
    align: 'end',
    card: 'hidden',
    cell: one(({ id }) => <CallsInFlight live={work.liveOf(id)} />),
  },
  {
    id: 'latency',
    hiddenBelow: 'middle',
    title: t('column.latency'),
    align: 'end',
    card: 'fact',
    cell: one(({ id }) => <Latency traffic={work.trafficOf(id)} />),
    cardCell: one(({ id }) => <LateFact>{work.trafficOf(id) && <Latency traffic={work.trafficOf(id)} />}</LateFact>),
  },
  {
    id: 'response',
    stackBelow: 'latency',
    hiddenBelow: 'wide',
    title: t('column.response'),
    isSortable: true,
    card: 'fact',
    cell: one((channel) => isTestable(vendorOf(channel)) && <ResponseTime channel={channel} writes={writes} />),
  },
]

/** What it costs. */
const moneyColumns = ({ t, work, balanceOf }: ColumnContext): readonly Column<Row>[] => [
  {
    id: 'spend',
    hiddenBelow: 'middle',
    title: t('column.spend'),
    isSortable: true,
    align: 'end',
    card: 'fact',
    cell: (row) =>
      // No amount until the traffic is known.
      work.times.length > 0 && <Money quota={sum(row, ({ id }) => work.trafficOf(id)?.quota ?? 0)} />,
    cardCell: (row) => (
      <LateFact>
        {work.times.length > 0 && <Money quota={sum(row, ({ id }) => work.trafficOf(id)?.quota ?? 0)} />}
      </LateFact>
    ),
  },
  {
    id: 'used',
    title: t('column.used'),
    isSortable: true,
    align: 'end',
    isHiddenAtFirst: true,
    card: 'hidden',
    cell: (row) => <Money quota={sum(row, ({ used_quota: used }) => used)} />,
  },
  {
    id: 'balance',
    title: t('column.balance'),
    isSortable: true,
    align: 'end',
    stackBelow: 'spend',
    hiddenBelow: 'wide',
    card: 'hidden',
    cell: one(balanceOf),
    belowCell: one((channel) => {
      const balance = channel.balance_updated_time > 0 && balanceOf(channel)
      return balance && <Labelled name={t('column.balance')}>{balance}</Labelled>
    }),
  },
]

/** When it is chosen. */
const orderColumns = ({ t, grip, numberCell }: ColumnContext): readonly Column<Row>[] => [
  {
    id: 'priority',
    hiddenBelow: 'middle',
    title: t('column.priority'),
    isSortable: true,
    align: 'end',
    card: 'fact',
    cell: (row) => (
      <span className={classes.priority}>
        {grip(row)}
        {numberCell('priority', channelRoutes.lowestPriority)(row)}
      </span>
    ),
    // On a card the priority is read; the editor changes it.
    cardCell: (row) => common(channelsOf(row), 'priority'),
  },
  {
    id: 'weight',
    stackBelow: 'priority',
    ownColumnFrom: 'wide',
    hiddenBelow: 'wide',
    title: t('column.weight'),
    isSortable: true,
    align: 'end',
    card: 'hidden',
    cell: numberCell('weight', minWeight),
    belowCell: (row) => <Labelled name={t('column.weight')}>{numberCell('weight', minWeight)(row)}</Labelled>,
  },
]

/** What it serves. */
const contentColumns = ({ t, writes, onKeys }: ColumnContext): readonly Column<Row>[] => [
  {
    id: 'group',
    title: t('column.group'),
    isHiddenAtFirst: true,
    card: 'hidden',
    cell: (row) => <Listed values={channelsOf(row).flatMap(({ group }) => listOf(group))} />,
  },
  {
    id: 'keys',
    title: t('column.keys'),
    align: 'end',
    hiddenBelow: 'wide',
    card: 'hidden',
    cell: one((channel) => <KeyCount channel={channel} onOpen={writes && (() => onKeys(channel))} />),
  },
  {
    id: 'models',
    isHiddenAtFirst: true,
    title: t('column.models'),
    align: 'end',
    stackBelow: 'keys',
    card: 'hidden',
    cell: one((channel) => <ModelCount channel={channel} />),
  },
]

/** A value below another one says what it is. */
const Labelled = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <span className={classes.labelled}>
    <span>{name}</span>
    {children}
  </span>
)

const sum = (row: Row, figureOf: (channel: Channel) => number): number =>
  channelsOf(row).reduce((total, channel) => total + figureOf(channel), 0)

/** For values that a tag as a whole does not have. */
const one = (draw: (channel: Channel) => ReactNode) => (row: Row) => (row.kind === 'channel' ? draw(row.channel) : null)

function Listed({ values }: { readonly values: readonly string[] }) {
  const text = [...new Set(values)].join(', ')
  return (
    <span className={classes.listed} title={text}>
      {text}
    </span>
  )
}

interface NumberCellProps {
  readonly label: string
  /** Undefined: the values differ. */
  readonly value: number | undefined
  readonly min: number
  /** Resolves when `value` is saved. Rejects when it is refused, after showing why. */
  readonly onSave: (value: number) => Promise<void>
}

/** An integer edited in place; a cleared field keeps the value. */
export function NumberCell({ label, value, min, onSave }: NumberCellProps) {
  const { t } = useTranslation('channels')
  return (
    <CellInput
      label={label}
      shown={value === undefined ? '' : String(value)}
      inputMode={min < 0 ? 'text' : 'numeric'}
      read={(typed) => {
        const number = Number(typed)
        if (typed === '' || number === value) return undefined
        return Number.isSafeInteger(number) && number >= min
          ? { value: number }
          : { fault: t('notANumber', { least: min }) }
      }}
      onSave={onSave}
    />
  )
}

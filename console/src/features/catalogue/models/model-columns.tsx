import { Badge, Group, Text } from '@mantine/core'

import type { Column } from '../../../components/data-table/types'
import { formatDecimal } from '../../../lib/text/format'
import { useTranslation, type Translate } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { callCost, listedIn, type Offer } from './offers'
import { GroupPrice, OfferPrice } from './offer-price'
import { Abilities, ContextLength, Modalities, OfferName, Vendor } from './model-cells'
import { OfferModes } from './offer-modes'
import { priceColumns, type ModelSearch } from './model-search'
import type { Offers } from './model-data'

/** Columns of the list. A column without values is hidden. */
export function useModelColumns(offers: Offers, search: ModelSearch): readonly Column<Offer>[] {
  const { t } = useTranslation('pricing')
  const { all, ratios, group, vendors } = offers
  const names: Readonly<Record<string, string>> = vendors
  const isOneKind = new Set(all.map(({ kind }) => kind)).size < 2
  const hasModes = all.some(
    ({ entry, retires_on: end, is_retired: isRetired }) => entry.modes ?? entry.schedules ?? end ?? isRetired,
  )
  const hasFacts = all.some(({ facts }) => facts)
  const isOneGroup = Object.keys(ratios).length < 2
  const isCompared = Boolean(search.compare) && !isOneGroup
  // The cost of a call takes their place.
  const described = search.calculator ? 'wide' : 'middle'
  const facts: readonly Column<Offer>[] = [
    {
      id: 'context',
      title: t('column.context'),
      align: 'end',
      isSortable: true,
      cell: (offer) => <ContextLength offer={offer} />,
    },
    {
      id: 'modality',
      title: t('column.modality'),
      hiddenBelow: described,
      cell: (offer) => <Modalities offer={offer} />,
    },
    {
      id: 'abilities',
      title: t('column.abilities'),
      stackBelow: 'modality',
      hiddenBelow: described,
      cell: (offer) => <Abilities offer={offer} />,
    },
  ]
  const prices = priceColumns.filter((column) => all.some((offer) => listedIn(offer, column) !== undefined))
  const priced = prices.map((column): Column<Offer> => ({
    id: column,
    title: t(`column.${column}`),
    align: 'end',
    isSortable: true,
    cell: (offer) => <OfferPrice offer={offer} column={column} />,
    ...((column === 'write' || column === 'cache') && { hiddenBelow: 'wide' as const }),
  }))
  const compared = Object.entries(ratios).map(([name, ratio]): Column<Offer> => ({
    id: `group-${name}`,
    title: `${name} ×${formatDecimal(ratio)}`,
    align: 'end',
    cell: (offer) => <GroupPrice offer={offer} group={name} ratio={ratio} />,
  }))
  return [
    {
      id: 'name',
      title: t('column.name'),
      isFixed: true,
      isSortable: true,
      card: 'title',
      cell: (offer) => <OfferName offer={offer} vendor={names[offer.owned_by]} />,
    },
    {
      id: 'vendor',
      title: t('column.vendor'),
      isHiddenAtFirst: true,
      cell: ({ owned_by: id }) => <Vendor id={id} name={names[id] ?? t('vendor.other')} />,
    },
    ...(hasFacts ? (isCompared ? facts.slice(0, 1) : facts) : []),
    ...(isOneKind
      ? []
      : [
          {
            id: 'kind',
            title: t('column.kind'),
            isHiddenAtFirst: true,
            cell: ({ kind }: Offer) => (
              <Text inherit span c="dimmed">
                {t(`kind.${kind}`)}
              </Text>
            ),
          },
        ]),
    ...(isCompared ? compared : priced),
    ...(hasModes && !isCompared
      ? [
          {
            id: 'modes',
            title: t('column.modes'),
            stackBelow: 'name',
            cell: (offer: Offer) => <OfferModes offer={offer} />,
          },
        ]
      : []),
    ...(search.calculator ? costColumns(offers, t) : []),
    ...(isOneGroup || isCompared || search.calculator
      ? []
      : [
          {
            id: 'groups',
            title: t('column.groups'),
            hiddenBelow: 'wide' as const,
            cell: ({ enable_groups: groups }: Offer) => <Groups groups={groups} chosen={group} />,
          },
        ]),
  ]
}

const costColumns = ({ call }: Offers, t: Translate<'pricing'>): readonly Column<Offer>[] =>
  [1, 1000].map((calls) => ({
    id: calls === 1 ? 'cost' : 'cost1000',
    title: t(calls === 1 ? 'column.cost' : 'column.cost1000'),
    align: 'end',
    isSortable: calls === 1,
    ...(calls > 1 && { stackBelow: 'cost', ownColumnFrom: 'wide' as const }),
    cell: (offer) => <Cost dollars={callCost(offer, call)?.dollars} calls={calls} />,
  }))

function Cost({ dollars, calls }: { readonly dollars: number | undefined; readonly calls: number }) {
  const format = useFormat()
  return dollars === undefined ? null : <span className="figures">{format.dollars(dollars * calls)}</span>
}

const maxShown = 2

function Groups({ groups, chosen }: { readonly groups: readonly string[]; readonly chosen: string }) {
  const rest = groups.length - maxShown
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex" title={groups.join(', ')}>
      {groups.slice(0, maxShown).map((name) => (
        <Badge key={name} color={name === chosen ? 'accent' : 'gray'}>
          {name}
        </Badge>
      ))}
      {rest > 0 && <Badge color="gray">{`+${rest}`}</Badge>}
    </Group>
  )
}

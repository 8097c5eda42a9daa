import { Badge, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Column } from '../../components/data-table/types'
import type { Offer } from './offers'
import { OfferName, OfferPrice, Vendor } from './offer-parts'
import type { Offers } from './use-offers'

const prices = ['input', 'output', 'cache', 'call'] as const

/** What the list tells of a model. */
export function usePriceColumns({ ratio, group, vendors }: Offers): readonly Column<Offer>[] {
  const { t } = useTranslation('pricing')
  const names: Readonly<Record<string, string>> = vendors
  return [
    {
      id: 'name',
      title: t('column.name'),
      isFixed: true,
      isSortable: true,
      card: 'title',
      cell: (offer) => <OfferName offer={offer} />,
    },
    {
      id: 'vendor',
      title: t('column.vendor'),
      cell: ({ owned_by: id }) => <Vendor id={id} name={names[id] ?? t('vendor.other')} />,
    },
    {
      id: 'kind',
      title: t('column.kind'),
      from: 'wide',
      cell: ({ kind }) => (
        <Text inherit span c="dimmed">
          {t(`kind.${kind}`)}
        </Text>
      ),
    },
    ...prices.map((column) => ({
      id: column,
      title: t(`column.${column}`),
      align: 'end' as const,
      isSortable: true,
      cell: (offer: Offer) => <OfferPrice offer={offer} column={column} groupRatio={ratio} />,
    })),
    {
      id: 'groups',
      title: t('column.groups'),
      from: 'middle',
      cell: ({ enable_groups: groups }) => <Groups groups={groups} chosen={group} />,
    },
  ]
}

const mostShown = 3

function Groups({ groups, chosen }: { readonly groups: readonly string[]; readonly chosen: string }) {
  const rest = groups.length - mostShown
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex" title={groups.join(', ')}>
      {groups.slice(0, mostShown).map((name) => (
        <Badge key={name} color={name === chosen ? 'accent' : 'gray'}>
          {name}
        </Badge>
      ))}
      {rest > 0 && <Badge color="gray">{`+${rest}`}</Badge>}
    </Group>
  )
}

import { Group, Stack, Table, Text, Title } from '@mantine/core'

import { Facts } from '../../../components/facts'
import { PeekPanel } from '../../../components/peek/peek-panel'
import { EntryCalculator } from '../../../domain/price/entry-calculator'
import { EntryDetails } from '../../../domain/price/entry-details'
import { RatioBadge } from '../../../components/ratio-badge'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { GroupPrice } from './offer-price'
import { Abilities, Modalities, OfferName, RetiredMark, TryOffer, Vendor } from './model-cells'
import type { Offer } from './offers'
import type { Offers } from './model-data'

interface OfferPanelProps {
  readonly offer: Offer
  readonly offers: Offers
  readonly onClose: () => void
  readonly onPrevious?: () => void
  readonly onNext?: () => void
}

/** All prices and facts of one model. */
export function ModelPanel({ offer, offers, ...panel }: OfferPanelProps) {
  const { t } = useTranslation('pricing')
  const { number } = useFormat()
  const { group, ratios, vendors } = offers
  const names: Readonly<Record<string, string>> = vendors
  const { facts, owned_by: maker, entry, factor, enable_groups: groups } = offer
  const tokens = (count: number | null | undefined) => count && t('tokens', { tokens: number(count) })
  return (
    <PeekPanel title={<OfferName offer={offer} vendor={names[maker]} />} {...panel}>
      <Stack gap="lg">
        <Facts
          facts={[
            [t('column.vendor'), maker && <Vendor key="maker" id={maker} name={names[maker] ?? maker} />],
            [t('column.context'), tokens(facts?.context_tokens)],
            [t('fact.output'), tokens(facts?.output_tokens)],
            [t('fact.released'), offer.released_on],
            [t('fact.retires'), (offer.is_retired || offer.retires_on) && <RetiredMark key="end" offer={offer} />],
            [t('column.modality'), facts && <Modalities key="modality" offer={offer} />],
            [t('column.abilities'), facts && facts.abilities.length > 0 && <Abilities key="abilities" offer={offer} />],
          ]}
        />
        <section>
          <Group gap="xs" mb={6}>
            <Title order={3} fz="md">
              {t('fact.prices')}
            </Title>
            {factor !== undefined && Object.keys(ratios).length > 1 && (
              <>
                <Text size="sm" c="dimmed">
                  {group}
                </Text>
                <RatioBadge ratio={factor} />
              </>
            )}
          </Group>
          {factor === undefined && (
            <Text size="sm" c="dimmed" mb={6}>
              {t('elsewhere', { groups: groups.join(', ') })}
            </Text>
          )}
          <EntryDetails entry={entry} factor={factor} label={t('fact.prices')} />
        </section>
        {factor !== undefined && <EntryCalculator key={offer.id} entry={entry} factor={factor} />}
        {groups.length > 1 && <GroupPrices offer={offer} ratios={ratios} />}
        <TryOffer offer={offer} />
      </Stack>
    </PeekPanel>
  )
}

interface GroupPricesProps {
  readonly offer: Offer
  readonly ratios: Readonly<Record<string, number>>
}

/** The model's prices in each group that has it. */
function GroupPrices({ offer, ratios }: GroupPricesProps) {
  const { t } = useTranslation('pricing')
  return (
    <section aria-label={t('column.groups')}>
      <Title order={3} fz="md" mb={6}>
        {t('column.groups')}
      </Title>
      <Table fz="sm" horizontalSpacing={0}>
        <Table.Tbody>
          {offer.enable_groups.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                <Group gap="xs">
                  {name}
                  <RatioBadge ratio={ratios[name] ?? 1} />
                </Group>
              </Table.Th>
              <Table.Td ta="right">
                <GroupPrice offer={offer} group={name} ratio={ratios[name] ?? 1} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

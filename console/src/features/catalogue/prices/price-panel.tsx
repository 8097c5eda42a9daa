import { Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { priceRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react'

import { ErrorState } from '../../../components/page/state-message'
import { Facts } from '../../../components/facts'
import { PeekPanel } from '../../../components/peek/peek-panel'
import { EntryCalculator } from '../../../domain/price/entry-calculator'
import { EntryDetails } from '../../../domain/price/entry-details'
import { TimeAgo } from '../../../components/time-ago'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { withOutput } from '../../../lib/text/price-entry/variant'
import { exactPriceText } from '../../../lib/text/prices'
import { useRead } from '../../../lib/api/query'
import { ChannelCosts } from './channel-costs'
import { differenceOf } from './own-entry'
import { Difference, Margin } from './price-figures'
import { ModelName } from './price-columns'
import type { PriceWrites } from './price-data'

interface PricePanelProps {
  readonly model: string
  /** Undefined for readers without write access. */
  readonly writes: PriceWrites | undefined
  readonly onEdit: (model: string) => void
  readonly onClose: () => void
  readonly onPrevious?: () => void
  readonly onNext?: () => void
}

/** All prices of one model: ours, the list price, and the cost at each channel. */
export function PricePanel({ model, writes, onEdit, ...panel }: PricePanelProps) {
  const { t } = useTranslation('prices')
  const { data, error, refetch } = useRead(priceRoutes.getPrice, { query: { model } })
  // Data of the previous model stays until this one has loaded.
  const row = data?.model === model ? data : undefined
  const footer = row && writes && (
    <Group gap={8}>
      <Button variant="default" leftSection={<IconPencil size={15} />} onClick={() => onEdit(model)}>
        {t('edit')}
      </Button>
      {row.own && (
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={15} />}
          loading={writes.isSaving}
          onClick={() => void writes.toList(row).catch(() => {})}
        >
          {t('toList.title')}
        </Button>
      )}
    </Group>
  )
  return (
    <PeekPanel title={row ? <ModelName row={row} /> : model} footer={footer} {...panel}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!row && !error && <Skeleton h={320} />}
      {row && <PriceDetails key={model} row={row} canWrite={writes !== undefined} />}
    </PeekPanel>
  )
}

interface PriceDetailsProps {
  readonly row: priceRoutes.PriceRow & { readonly costs: readonly priceRoutes.ChannelCost[] }
  readonly canWrite: boolean
}

function PriceDetails({ row, canWrite }: PriceDetailsProps) {
  const { t } = useTranslation('prices')
  const { sale, own, list, mix, list_mix: listMix, margin, reason, kind, model } = row
  const entry = sale && withOutput(inPrices(sale))
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [t('column.kind'), t(`kind.${kind}`)],
          [
            t('fact.mix'),
            mix !== null && (
              <Group key="mix" gap="xs">
                <Tip label={t('mixHint')}>
                  <span tabIndex={0}>{exactPriceText(mix)}</span>
                </Tip>
                <Difference share={differenceOf(mix, listMix)} />
              </Group>
            ),
          ],
          [t('fact.listMix'), listMix !== null && exactPriceText(listMix)],
          [t('fact.listFrom'), row.list_source && <ListSource key="from" source={row.list_source} />],
          [t('column.margin'), margin !== null && <Margin key="margin" margin={margin} at={row.dearest} />],
          [
            t('fact.setBy'),
            own && (
              <Group key="own" gap="xs">
                {own.source === 'sync' ? <Badge color="gray">{t('source.sync')}</Badge> : own.updated_by}
                <Text inherit c="dimmed">
                  <TimeAgo at={own.updated_at} />
                </Text>
              </Group>
            ),
          ],
          [
            t('fact.calls'),
            <Link key="calls" to="/app/logs/api-usage" search={{ model }}>
              {t('fact.toLog')}
            </Link>,
          ],
        ]}
      />
      {reason && !entry && <Text size="sm">{reason}</Text>}
      {entry && (
        <section>
          <Title order={3} fz="md" mb={6}>
            {t('fact.sale')}
          </Title>
          <EntryDetails entry={entry} label={t('fact.sale')} />
        </section>
      )}
      <ChannelCosts row={row} canWrite={canWrite} />
      {entry && <EntryCalculator entry={entry} />}
      {list && own && (
        <section>
          <Title order={3} fz="md" mb={6}>
            {t('fact.list')}
          </Title>
          <EntryDetails entry={withOutput(inPrices(list))} label={t('fact.list')} />
        </section>
      )}
    </Stack>
  )
}

/** Vendor, region, currency and date of a list price, with its source as a hint. */
function ListSource({ source }: { readonly source: priceRoutes.ListSource }) {
  const { t, language } = useTranslation('prices')
  const { vendor, region, currency, date, yuan_rate: rate, yuan_rate_date: day } = source
  return (
    <span title={source.source}>
      {[vendor[language], t(`region.${region}`), t(`currency.${currency}`, { rate, day }), date].join(' · ')}
    </span>
  )
}

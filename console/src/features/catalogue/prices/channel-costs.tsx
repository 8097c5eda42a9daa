import { ActionIcon, Group, Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { priceRoutes } from '@tollgate/contract'
import { IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { exactPriceText } from '../../../lib/text/prices'
import { Margin } from './price-figures'
import classes from './prices.module.css'

const CostDialog = lazy(async () => ({ default: (await import('./cost-dialog')).CostDialog }))

interface ChannelCostsProps {
  readonly row: priceRoutes.PriceRow & { readonly costs: readonly priceRoutes.ChannelCost[] }
  readonly canWrite: boolean
}

/** Each channel's cost for a typical mix, and our margin there. */
export function ChannelCosts({ row, canWrite }: ChannelCostsProps) {
  const { t } = useTranslation('prices')
  const [edited, setEdited] = useState<priceRoutes.ChannelCost | undefined>()
  const { costs, mix, model, channels } = row
  return (
    <section aria-label={t('costs.title')}>
      <Title order={3} fz="md">
        {t('costs.title')}
      </Title>
      <Text size="xs" c="dimmed" mb={6}>
        {t(costs.length > 0 ? 'costs.hint' : channels > 0 ? 'costs.unknown' : 'costs.none')}
      </Text>
      {costs.length > 0 && (
        <Table fz="sm" horizontalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th pl={0}>{t('costs.channel')}</Table.Th>
              <Table.Th ta="right">{t('costs.cost')}</Table.Th>
              <Table.Th ta="right" className={classes.oneLine}>
                {t('column.margin')}
              </Table.Th>
              {canWrite && <Table.Th aria-label={t('edit')} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {costs.map((cost) => (
              <Table.Tr key={cost.channel_id}>
                <Table.Td pl={0} style={{ overflowWrap: 'anywhere' }}>
                  <Link to="/admin/channels" search={{ keyword: String(cost.channel_id) }}>
                    {cost.channel_name}
                  </Link>
                  <Text size="xs" c="dimmed">
                    {t(`costKind.${cost.kind}`)}
                  </Text>
                </Table.Td>
                <Table.Td ta="right" className="figures">
                  {exactPriceText(cost.mix)}
                </Table.Td>
                <Table.Td ta="right">
                  <Margin margin={mix === null || mix === 0 ? null : 1 - cost.mix / mix} at={cost} />
                </Table.Td>
                {canWrite && (
                  <Table.Td w={34} pr={0}>
                    <Group justify="flex-end">
                      <Tip label={t('costs.edit')}>
                        <ActionIcon
                          aria-label={t('costs.editOf', { channel: cost.channel_name })}
                          onClick={() => setEdited(cost)}
                        >
                          <IconPencil size={16} />
                        </ActionIcon>
                      </Tip>
                    </Group>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {edited && (
        <Suspense>
          <CostDialog model={model} cost={edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </section>
  )
}

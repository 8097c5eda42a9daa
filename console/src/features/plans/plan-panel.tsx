import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconEdit, IconGift, IconPackageOff } from '@tabler/icons-react'

import { Facts } from '../../components/facts'
import { StateMessage } from '../../components/page/state-message'
import { PanelSection } from '../../components/peek/panel-section'
import { PeekPanel } from '../../components/peek/peek-panel'
import { Money } from '../../domain/money'
import { PlanScope } from '../../domain/plans/plan-scope'
import { SubscriptionList } from '../../domain/plans/subscription-list'
import { usePlanText } from '../../domain/plans/use-plan-text'
import { useViewer } from '../../lib/api/session'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { SaleState } from './plan-columns'
import type { PlanSales } from './plan-data'

interface PlanPanelProps {
  readonly plan: PlanSales | undefined
  readonly isMissing: boolean
  readonly onEdit: () => void
  readonly onGive: () => void
  readonly onPrevious?: () => void
  readonly onNext?: () => void
  readonly onClose: () => void
}

/** A plan, its sales and its subscriptions. */
export function PlanPanel({ plan, isMissing, onEdit, onGive, ...panel }: PlanPanelProps) {
  const { t } = useTranslation('plans')
  const mayWrite = useViewer().may('balances.write')
  return (
    <PeekPanel
      title={plan?.name ?? t('panel')}
      footer={
        mayWrite &&
        plan && (
          <>
            <Button variant="default" leftSection={<IconEdit size={15} />} onClick={onEdit}>
              {t('action.edit')}
            </Button>
            <Button variant="default" leftSection={<IconGift size={15} />} onClick={onGive}>
              {t('plan:give.action')}
            </Button>
          </>
        )
      }
      {...panel}
    >
      {isMissing && <StateMessage icon={IconPackageOff} title={t('missing')} isSmall />}
      {!plan && !isMissing && <Skeleton h={320} />}
      {plan && (
        <Stack gap="lg">
          <PlanFacts plan={plan} />
          <PanelSection title={t('scope')}>
            <PlanScope plan={plan} />
          </PanelSection>
          <SubscriptionList key={plan.id} of={{ plan_id: plan.id }} />
        </Stack>
      )}
    </PeekPanel>
  )
}

function PlanFacts({ plan }: { readonly plan: PlanSales }) {
  const { t } = useTranslation('plans')
  const { number } = useFormat()
  const text = usePlanText()
  return (
    <>
      <Facts
        facts={[
          [t('column.sale'), <SaleState key="sale" plan={plan} />],
          [t('column.price'), text.price(plan)],
          [t('column.active'), number(plan.active)],
          [t('column.sold'), number(plan.sold)],
          [t('column.revenue'), <Money key="revenue" quota={plan.revenue} />],
          [t('column.used'), <Money key="used" quota={plan.used} />],
          [t('field.maxPerUser'), number(plan.max_per_user)],
          [t('field.preference'), t(`plan:preference.${plan.preference}`)],
        ]}
      />
      {plan.description !== '' && (
        <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {plan.description}
        </Text>
      )}
    </>
  )
}

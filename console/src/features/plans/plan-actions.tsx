import {
  IconDots,
  IconEdit,
  IconGift,
  IconListDetails,
  IconShoppingCart,
  IconShoppingCartOff,
  IconTrash,
} from '@tabler/icons-react'
import { planRoutes } from '@tollgate/contract'

import { MenuButton, type MenuItem } from '../../components/menu-button'
import { useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { notifySuccess } from '../../lib/browser/notify'
import { useTranslation } from '../../lib/text/i18n'
import { planReads, settingsOf, type PlanSales } from './plan-data'

interface PlanMenuProps {
  readonly plan: PlanSales
  readonly onOpen: () => void
  readonly onEdit: () => void
  readonly onGive: () => void
}

/** Actions for a plan, at the end of its row. */
export function PlanMenu({ plan, onOpen, onEdit, onGive }: PlanMenuProps) {
  const { t } = useTranslation('plans')
  const mayWrite = useViewer().may('balances.write')
  const sale = useSale(plan)
  const remove = useWrite(planRoutes.deletePlan, {
    changes: planReads,
    onSuccess: () => notifySuccess(t('delete.done')),
  })
  const isRunning = plan.active > 0
  const items: readonly MenuItem[] = [
    { id: 'open', label: t('action.open'), icon: IconListDetails, onClick: onOpen },
    { id: 'edit', label: t('action.edit'), icon: IconEdit, onClick: onEdit },
    { id: 'give', label: t('plan:give.action'), icon: IconGift, onClick: onGive },
    {
      id: 'sale',
      label: t(plan.is_on_sale ? 'action.takeOff' : 'action.putOn'),
      icon: plan.is_on_sale ? IconShoppingCartOff : IconShoppingCart,
      onClick: sale.toggle,
    },
    {
      id: 'delete',
      label: t('action.delete'),
      icon: IconTrash,
      isDangerous: true,
      startsGroup: true,
      // Refused while it runs; the refusal says what to do.
      confirmation: isRunning
        ? undefined
        : {
            title: t('delete.title', { name: plan.name }),
            question: t('delete.question'),
            confirmText: t('action.delete'),
          },
      onClick: () => remove.mutate({ params: { id: plan.id } }),
    },
  ]
  return (
    <MenuButton
      label={t('action.more', { name: plan.name })}
      icon={IconDots}
      items={mayWrite ? items : items.slice(0, 1)}
    />
  )
}

/** Puts a plan on sale, or takes it off. */
function useSale(plan: PlanSales) {
  const { t } = useTranslation('plans')
  const update = useWrite(planRoutes.updatePlan, {
    changes: planReads,
    onSuccess: ({ is_on_sale: isOnSale }) =>
      notifySuccess(t(isOnSale ? 'sale.isOn' : 'sale.isOff', { name: plan.name })),
  })
  return {
    isPending: update.isPending,
    toggle: () =>
      update.mutate({ params: { id: plan.id }, body: { ...settingsOf(plan), is_on_sale: !plan.is_on_sale } }),
  }
}

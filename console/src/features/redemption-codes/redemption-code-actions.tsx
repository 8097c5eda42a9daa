import { ActionIcon, Group } from '@mantine/core'
import { IconDots, IconEdit, IconListDetails, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { redemptionRoutes } from '@tollgate/contract'

import { MenuButton, type MenuItem } from '../../components/menu-button'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { couponReads, type Coupon } from './redemption-code-data'

const { redemptionStatus: status } = redemptionRoutes

interface CouponActionsProps {
  readonly coupon: Coupon
  readonly onEdit: () => void
  readonly onOpen: () => void
}

/** Actions for one code: a used one can be neither edited nor enabled. */
export function CouponActions({ coupon, onEdit, onOpen }: CouponActionsProps) {
  const { t } = useTranslation('coupons')
  const mayWrite = useViewer().may('codes.write')
  const setStatus = useWrite(redemptionRoutes.updateRedemption, {
    changes: couponReads,
    onSuccess: () => notifySuccess(t('done')),
  })
  const remove = useWrite(redemptionRoutes.deleteRedemption, {
    changes: couponReads,
    onSuccess: () => notifySuccess(t('done')),
  })
  const isOff = coupon.status === status.disabled
  const toggle = t(isOff ? 'action.enable' : 'action.disable')
  const uses: MenuItem = { id: 'uses', label: t('action.uses'), icon: IconListDetails, onClick: onOpen }
  const deletion: MenuItem = {
    id: 'delete',
    label: t('action.delete'),
    icon: IconTrash,
    isDangerous: true,
    startsGroup: true,
    confirmation: {
      title: t('delete.title', { name: coupon.name }),
      question: t('delete.question'),
      confirmText: t('action.delete'),
    },
    onClick: () => remove.mutate({ params: { id: coupon.id } }),
  }
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {mayWrite && (
        <>
          <Tip label={toggle}>
            <ActionIcon
              aria-label={toggle}
              disabled={coupon.status === status.used}
              onClick={() =>
                setStatus.mutate({
                  query: { status_only: true },
                  body: { id: coupon.id, status: isOff ? status.unused : status.disabled },
                })
              }
            >
              {isOff ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            </ActionIcon>
          </Tip>
          <Tip label={t('action.edit')}>
            <ActionIcon aria-label={t('action.edit')} disabled={coupon.status !== status.unused} onClick={onEdit}>
              <IconEdit size={16} />
            </ActionIcon>
          </Tip>
        </>
      )}
      <MenuButton
        label={t('action.more', { name: coupon.name })}
        icon={IconDots}
        items={mayWrite ? [uses, deletion] : [uses]}
      />
    </Group>
  )
}

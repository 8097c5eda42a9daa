import { redemptionRoutes } from '@tollgate/contract'
import { useState } from 'react'
import { Button, Group, Modal, Stack } from '@mantine/core'

import { FormDrawer } from '../../components/dialogs/form-drawer'
import { LoadedDrawer } from '../../components/dialogs/loaded-drawer'
import { useSecondLook } from '../../components/dialogs/use-second-look'
import { useUnusualQuota } from '../../components/fields/use-unusual-quota'
import { showAtField } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { CouponFields } from './redemption-code-fields'
import { fieldOfRefusal, fieldsOf, newCouponValues, valuesOf, useCouponForm } from './redemption-code-form'
import { couponReads, type Coupon } from './redemption-code-data'
import { CreatedKeys } from '../../domain/created-keys'
import { FocusBack } from '../../components/focus-back'
import { useIsPhone } from '../../lib/browser/breakpoints'

/** Creates codes and then shows them. */
export function NewCouponDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('coupons')
  const form = useCouponForm(newCouponValues)
  const [created, setCreated] = useState<CreatedCodes>()
  const create = useWrite(redemptionRoutes.createRedemptions, {
    changes: couponReads,
    onSuccess: (keys) => {
      notifySuccess(t('created'))
      setCreated({ name: form.values.name.trim(), keys })
    },
    onError: showAtField(form, fieldOfRefusal),
  })
  const unusualQuota = useUnusualQuota()
  const { isMeant, dialog } = useSecondLook()
  if (created) return <CreatedDialog created={created} onClose={onClose} />
  return (
    <FormDrawer
      isOpen
      title={t('add')}
      isDirty={form.isDirty()}
      isSaving={create.isPending}
      saveText={t('add')}
      onSave={form.onSubmit(async (values) => {
        if (!(await isMeant(unusualQuota(t('field.quota'), Number(values.quota))))) return
        create.mutate({ body: { ...fieldsOf(values), count: Number(values.count), key: values.key.trim() } })
      })}
      onClose={onClose}
    >
      {dialog}
      <CouponFields form={form} isNew />
    </FormDrawer>
  )
}

/** Edits an unused code. */
export function EditCouponDrawer({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { t } = useTranslation('coupons')
  const read = useRead(redemptionRoutes.getRedemption, { params: { id } }, { staleTime: 0 })
  return (
    <LoadedDrawer title={t('edit')} read={read} onClose={onClose}>
      {(coupon) => <EditedCoupon coupon={coupon} onClose={onClose} />}
    </LoadedDrawer>
  )
}

function EditedCoupon({ coupon, onClose }: { readonly coupon: Coupon; readonly onClose: () => void }) {
  const { t } = useTranslation('coupons')
  const form = useCouponForm(valuesOf(coupon))
  const unusualQuota = useUnusualQuota()
  const { isMeant, dialog } = useSecondLook()
  const isEditable = coupon.status === redemptionRoutes.redemptionStatus.unused
  const update = useWrite(redemptionRoutes.updateRedemption, {
    changes: couponReads,
    onSuccess: () => {
      notifySuccess(t('saved'))
      onClose()
    },
    onError: showAtField(form, fieldOfRefusal),
  })
  return (
    <FormDrawer
      isOpen
      title={t('edit')}
      isDirty={form.isDirty()}
      isSaving={update.isPending}
      isReadOnly={!isEditable}
      onSave={form.onSubmit(async (values) => {
        if (!(await isMeant(unusualQuota(t('field.quota'), Number(values.quota), coupon.quota)))) return
        update.mutate({ body: { id: coupon.id, ...fieldsOf(values) } })
      })}
      onClose={onClose}
    >
      {dialog}
      <CouponFields form={form} isGiftFixed={coupon.used_count > 0} />
    </FormDrawer>
  )
}

interface CreatedCodes {
  readonly name: string
  readonly keys: readonly string[]
}

/** Newly created codes, to be copied or saved as a file named after them. */
function CreatedDialog({ created, onClose }: { readonly created: CreatedCodes; readonly onClose: () => void }) {
  const { t } = useTranslation('coupons')
  const isPhone = useIsPhone()
  const { name, keys } = created
  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      fullScreen={isPhone}
      title={t('createdCount', { count: keys.length })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <Stack gap="sm">
        <CreatedKeys keys={keys.map((key) => ({ name, key }))} fileName={name} />
        <Group justify="flex-end">
          <Button variant="default" size="sm" onClick={onClose} data-autofocus>
            {t('common:close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

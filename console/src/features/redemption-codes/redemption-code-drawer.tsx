import { redemptionRoutes } from '@tollgate/contract'
import { useState } from 'react'
import { Button, Group, Modal, Stack } from '@mantine/core'

import { FormDrawer, LoadedDrawer } from '../../components/dialogs/form-drawer'
import { useSecondLook, useUnusualQuota } from '../../components/dialogs/use-second-look'
import { showAtField } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { RedemptionCodeFields } from './redemption-code-fields'
import {
  fieldOfRefusal,
  fieldsOf,
  newRedemptionCodeValues,
  valuesOf,
  useRedemptionCodeForm,
} from './redemption-code-form'
import { redemptionCodeReads, type RedemptionCode } from './redemption-code-data'
import { CreatedKeys } from '../../domain/created-keys'
import { FocusBack } from '../../components/focus-back'
import { useIsPhone } from '../../lib/browser/breakpoints'

/** Creates codes and then shows them. */
export function NewRedemptionCodeDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('redemption-codes')
  const form = useRedemptionCodeForm(newRedemptionCodeValues)
  const [created, setCreated] = useState<CreatedCodes>()
  const create = useWrite(redemptionRoutes.createRedemptions, {
    changes: redemptionCodeReads,
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
      <RedemptionCodeFields form={form} isNew />
    </FormDrawer>
  )
}

/** Edits an unused code. */
export function EditRedemptionCodeDrawer({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { t } = useTranslation('redemption-codes')
  const read = useRead(redemptionRoutes.getRedemption, { params: { id } }, { staleTime: 0 })
  return (
    <LoadedDrawer title={t('edit')} read={read} onClose={onClose}>
      {(code) => <EditedRedemptionCode code={code} onClose={onClose} />}
    </LoadedDrawer>
  )
}

function EditedRedemptionCode({ code, onClose }: { readonly code: RedemptionCode; readonly onClose: () => void }) {
  const { t } = useTranslation('redemption-codes')
  const form = useRedemptionCodeForm(valuesOf(code))
  const unusualQuota = useUnusualQuota()
  const { isMeant, dialog } = useSecondLook()
  const isEditable = code.status === redemptionRoutes.redemptionStatus.unused
  const update = useWrite(redemptionRoutes.updateRedemption, {
    changes: redemptionCodeReads,
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
        if (!(await isMeant(unusualQuota(t('field.quota'), Number(values.quota), code.quota)))) return
        update.mutate({ body: { id: code.id, ...fieldsOf(values) } })
      })}
      onClose={onClose}
    >
      {dialog}
      <RedemptionCodeFields form={form} isGiftFixed={code.used_count > 0} />
    </FormDrawer>
  )
}

interface CreatedCodes {
  readonly name: string
  readonly keys: readonly string[]
}

/** Newly created codes, to be copied or saved as a file named after them. */
function CreatedDialog({ created, onClose }: { readonly created: CreatedCodes; readonly onClose: () => void }) {
  const { t } = useTranslation('redemption-codes')
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

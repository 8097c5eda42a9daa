import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { invitationRoutes, accountRoutes } from '@tollgate/contract'

import { FocusBack } from '../../../components/focus-back'
import { MoneyInput } from '../../../components/fields/money-input'
import { showAtField } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { useFormat } from '../../../lib/text/use-format'

interface TransferDialogProps {
  /** Quota units. */
  readonly min: number
  readonly max: number
  readonly onClose: () => void
}

/** Transfers the earnings of invitations to the balance. */
export function TransferDialog({ min, max, onClose }: TransferDialogProps) {
  const { t } = useTranslation('account')
  const { money } = useFormat()
  const form = useForm<{ quota: number | string }>({
    initialValues: { quota: max },
    validate: {
      quota: (value) => {
        if (Number(value) < min) return t('invitation.tooLittle', { least: money(min) })
        return Number(value) > max ? t('invitation.tooMuch', { most: money(max) }) : null
      },
    },
  })
  const { mutate, isPending } = useWrite(invitationRoutes.transferEarned, {
    changes: [accountRoutes.getSelf],
    onSuccess: () => {
      notifySuccess(t('invitation.transferred'))
      onClose()
    },
    onError: showAtField(form, { 'aff.min': 'quota', 'aff.short': 'quota' }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      title={t('invitation.transferTitle')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <form noValidate onSubmit={form.onSubmit(({ quota }) => mutate({ body: { quota: Number(quota) } }))}>
        <Stack gap="md">
          <Text size="sm">{t('invitation.transferHint', { most: money(max) })}</Text>
          <MoneyInput label={t('invitation.amount')} data-autofocus {...form.getInputProps('quota')} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" size="sm" loading={isPending}>
              {t('invitation.transfer')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { planRoutes } from '@tollgate/contract'
import { useState, type SubmitEvent } from 'react'

import { FormFailure } from '../../components/dialogs/form-failure'
import { FocusBack } from '../../components/focus-back'
import { useRead, useWrite } from '../../lib/api/query'
import { notifySuccess } from '../../lib/browser/notify'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { subscriptionReads, type UserSubscription } from './plan-data'
import { RestHint } from './rest-hint'

interface EndDialogProps {
  readonly subscription: UserSubscription
  readonly onClose: () => void
}

/** Ends a subscription, with the rest of its price or without. */
export function EndDialog({ subscription, onClose }: EndDialogProps) {
  const { t } = useTranslation('plan')
  const { money } = useFormat()
  const { id, plan_name: plan, username } = subscription
  const isPaid = subscription.price > 0
  const { data: rest } = useRead(planRoutes.subscriptionRest, { params: { id } }, { staleTime: 0, enabled: isPaid })
  const [returnsRest, setReturnsRest] = useState(isPaid)
  const end = useWrite(planRoutes.endSubscription, {
    changes: subscriptionReads,
    onSuccess: () => {
      notifySuccess(t('end.done'))
      onClose()
    },
    onError: () => {},
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    end.mutate({ params: { id }, body: { returns_rest: returnsRest } })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('end.title', { plan, username })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{t('end.hint')}</Text>
          {isPaid && (
            <Checkbox
              label={t('end.returns')}
              description={t('end.returnsHint', { quota: rest ? money(rest.rest) : '…' })}
              checked={returnsRest}
              onChange={({ currentTarget }) => setReturnsRest(currentTarget.checked)}
            />
          )}
          {rest && <RestHint rest={rest} />}
          <FormFailure error={end.error ?? undefined} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose} data-autofocus>
              {t('common:cancel')}
            </Button>
            <Button type="submit" size="sm" color="red" loading={end.isPending}>
              {t('end.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { planRoutes, type ApiError } from '@tollgate/contract'
import { useState, type SubmitEvent } from 'react'

import { UserSelect } from '../../components/combobox/user-select'
import { FormFailure } from '../../components/dialogs/form-failure'
import { FocusBack } from '../../components/focus-back'
import { subscriptionReads } from '../../domain/plans/plan-data'
import { usePlanText } from '../../domain/plans/use-plan-text'
import { useWrite } from '../../lib/api/query'
import { notifySuccess } from '../../lib/browser/notify'
import { useTranslation } from '../../lib/text/i18n'
import type { PlanSales } from './plan-data'

interface GiveDialogProps {
  readonly plan: PlanSales
  readonly onClose: () => void
}

/** Begins a plan for a user, for nothing. */
export function GiveDialog({ plan, onClose }: GiveDialogProps) {
  const { t } = useTranslation('plan')
  const text = usePlanText()
  const [userId, setUserId] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<ApiError>()
  const give = useWrite(planRoutes.givePlan, {
    changes: subscriptionReads,
    onSuccess: ({ username }) => {
      notifySuccess(t('give.done', { username }))
      onClose()
    },
    onError: setRefusal,
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setRefusal(undefined)
    if (userId !== null) give.mutate({ params: { id: plan.id }, body: { user_id: Number(userId) } })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('give.title', { plan: plan.name })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <UserSelect isById label={t('give.user')} value={userId} onChange={setUserId} data-autofocus />
          <Text size="sm" c="dimmed">
            {t('give.hint', { term: text.term(plan) })}
          </Text>
          <FormFailure error={refusal} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" size="sm" loading={give.isPending} disabled={userId === null}>
              {t('give.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

import { Button, Group } from '@mantine/core'
import { priceSyncRoutes, type RouteResult } from '@tollgate/contract'

import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'

type ProposalDecision = RouteResult<typeof priceSyncRoutes.decideProposals>
type Decision = 'approve' | 'reject'

function useDecide(onDone: () => void) {
  const { t } = useTranslation('price-sync')
  return useWrite(priceSyncRoutes.decideProposals, {
    changes: [priceSyncRoutes.priceSync, priceSyncRoutes.listProposals],
    onSuccess: ({ decided, outdated }: ProposalDecision, { body }) => {
      if (outdated > 0) notifyWarning(t('done.outdated', { count: outdated }))
      if (decided > 0)
        notifySuccess(t(body?.decision === 'approve' ? 'done.approved' : 'done.rejected', { count: decided }))
      onDone()
    },
  })
}

interface DecideButtonsProps {
  readonly ids: readonly number[]
  readonly state: priceSyncRoutes.ProposalState
  readonly onDone: () => void
}

/** Buttons for the selected proposals. */
export function DecideButtons({ ids, state, onDone }: DecideButtonsProps) {
  const { t } = useTranslation('price-sync')
  const { mutate, isPending } = useDecide(onDone)
  const decide = (decision: Decision) => mutate({ body: { decision, ids: [...ids] } })
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => decide('approve')}>
        {t('approve')}
      </Button>
      {state === 'waiting' && (
        <Button variant="default" loading={isPending} onClick={() => decide('reject')}>
          {t('reject')}
        </Button>
      )}
    </>
  )
}

interface DecideAllProps {
  readonly total: number
  readonly filter: { readonly keyword?: string; readonly source?: string }
  readonly onDone: () => void
}

/** Buttons for all pending proposals that match the filters, on any page. */
export function DecideAll({ total, filter, onDone }: DecideAllProps) {
  const { t } = useTranslation('price-sync')
  const { mutate, isPending } = useDecide(onDone)
  return (
    <Group gap={8}>
      {(['approve', 'reject'] as const).map((decision) => (
        <ConfirmButton
          key={decision}
          title={t(`all.${decision}`, { count: total })}
          question={t(`all.${decision}Question`, { count: total })}
          confirmText={t(decision)}
          disabled={isPending}
          onConfirm={() => mutate({ body: { decision, filter } })}
        >
          {t(`all.${decision}`, { count: total })}
        </ConfirmButton>
      ))}
    </Group>
  )
}

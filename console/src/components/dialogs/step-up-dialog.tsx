import { Modal } from '@mantine/core'
import { factorRoutes, accountRoutes, type StepUpPurpose } from '@tollgate/contract'

import { call, toApiError } from '../../lib/api/api'
import { showAtField } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { notifyError } from '../../lib/browser/notify'
import { requestPasskey } from '../../lib/browser/passkey'
import { useRead, useWrite } from '../../lib/api/query'
import { FocusBack } from '../focus-back'
import { ProofForm, useProofForm, type TypedProof } from './proof-form'

interface StepUpDialogProps {
  readonly purpose: StepUpPurpose
  readonly onProven: (proof: string) => void
  readonly onClose: () => void
}

/** Asks for the password or a second factor before an action that a stolen session must not be able to take. */
export function StepUpDialog({ purpose, onProven, onClose }: StepUpDialogProps) {
  const { t } = useTranslation()
  const { data: held } = useRead(factorRoutes.getFactors, {})
  const form = useProofForm()
  const { mutate, isPending } = useWrite(accountRoutes.stepUp, {
    onSuccess: ({ proof }) => onProven(proof),
    onError: showAtField(form, { 'user.password_original': 'code', 'factor.wrong': 'code' }),
  })
  const provePasskey = async () => {
    try {
      const passkeyResponse = await requestPasskey(await call(factorRoutes.beginPasskeyStepUp, { body: { purpose } }))
      if (passkeyResponse) mutate({ body: { purpose, factor: { kind: 'passkey', answer: passkeyResponse } } })
    } catch (error) {
      notifyError(toApiError(error))
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('stepUp.title')}
      size="sm"
      // Above drawers and other dialogs, where the action may have started.
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <FocusBack />
      <ProofForm
        form={form}
        kinds={held ? kindsOf(held) : ['password']}
        passwordHint={t(`stepUp.purpose.${purpose}`)}
        isPending={isPending}
        onCode={(kind, code) =>
          mutate({ body: { purpose, ...(kind === 'password' ? { password: code } : { factor: { kind, code } }) } })
        }
        onPasskey={held && held.factors.includes('passkey') ? () => void provePasskey() : undefined}
        onClose={onClose}
      />
    </Modal>
  )
}

const kindsOf = ({ has_password: hasPassword, factors }: factorRoutes.Factors): readonly TypedProof[] => [
  ...(hasPassword ? (['password'] as const) : []),
  ...(['totp', 'recovery_code'] as const).filter((kind) => factors.includes(kind)),
]

import { Modal } from '@mantine/core'
import { factorRoutes, type RouteResult, type SecondFactorRequest } from '@tollgate/contract'

import { FocusBack } from '../../components/focus-back'
import { ProofForm, useProofForm } from '../../components/dialogs/proof-form'
import { showAtField } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { requestPasskey } from '../../lib/browser/passkey'
import { useWrite } from '../../lib/api/query'

interface SecondFactorDialogProps {
  readonly request: SecondFactorRequest
  readonly onSignedIn: (user: RouteResult<typeof factorRoutes.completeLogIn>) => void
  readonly onClose: () => void
}

/** Asks for the second factor of a sign-in: a code of an authenticator app, a recovery code or a passkey. */
export function SecondFactorDialog({ request, onSignedIn, onClose }: SecondFactorDialogProps) {
  const { t } = useTranslation('security')
  const { token, factors, passkey } = request
  const form = useProofForm()
  const { mutate, isPending } = useWrite(factorRoutes.completeLogIn, {
    onSuccess: onSignedIn,
    onError: showAtField(form, { 'factor.wrong': 'code', 'login.expired': 'code' }),
  })
  const provePasskey = async () => {
    const passkeyResponse = passkey && (await requestPasskey(passkey))
    if (passkeyResponse) mutate({ body: { token, proof: { kind: 'passkey', answer: passkeyResponse } } })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('factor.title')}
      size="sm"
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('factor.cancel') }}
    >
      <FocusBack />
      <ProofForm
        form={form}
        kinds={(['totp', 'recovery_code'] as const).filter((kind) => factors.includes(kind))}
        isPending={isPending}
        onCode={(kind, code) => kind !== 'password' && mutate({ body: { token, proof: { kind, code } } })}
        onPasskey={passkey && (() => void provePasskey())}
        onClose={onClose}
      />
    </Modal>
  )
}

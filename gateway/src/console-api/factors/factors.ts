import { factorRoutes } from '@tollgate/contract'

import { handler, type Handler } from '../../http/handler'
import { addPasskey, beginPasskey } from './add-passkey'
import { completeLogIn } from './complete-log-in'
import { getFactors } from './get-factors'
import { beginPasskeyLogIn, passkeyLogIn } from './passkey-log-in'
import { beginPasskeyStepUp } from './passkey-step-up'
import { removePasskey, renamePasskey } from './passkeys'
import { removeTotp } from './remove-totp'
import { renewRecoveryCodes } from './renew-recovery-codes'
import { beginTotp, confirmTotp } from './set-up-totp'

export const factorHandlers: readonly Handler[] = [
  handler(factorRoutes.completeLogIn, ({ body }, call) => completeLogIn(body, call)),
  handler(factorRoutes.beginPasskeyLogIn, (_input, call) => beginPasskeyLogIn(call)),
  handler(factorRoutes.passkeyLogIn, ({ body }, call) => passkeyLogIn(body.answer, call)),
  handler(factorRoutes.beginPasskeyStepUp, ({ body }, call) => beginPasskeyStepUp(body.purpose, call)),
  handler(factorRoutes.getFactors, (_input, call) => getFactors(call)),
  handler(factorRoutes.beginTotp, (_input, call) => beginTotp(call)),
  handler(factorRoutes.confirmTotp, ({ body }, call) => confirmTotp(body, call)),
  handler(factorRoutes.removeTotp, (_input, call) => removeTotp(call)),
  handler(factorRoutes.renewRecoveryCodes, (_input, call) => renewRecoveryCodes(call)),
  handler(factorRoutes.beginPasskey, (_input, call) => beginPasskey(call)),
  handler(factorRoutes.addPasskey, ({ body }, call) => addPasskey(body, call)),
  handler(factorRoutes.renamePasskey, ({ params, body }, call) => renamePasskey(params.id, body.name, call)),
  handler(factorRoutes.removePasskey, ({ params }, call) => removePasskey(params.id, call)),
]

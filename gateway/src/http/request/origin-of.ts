import type { Origin } from '../../accounts/users/invitations'
import { limitAddress } from '../../accounts/callers/limit-address'
import { deviceHashOf } from '../../accounts/sessions/session-cookie'
import type { Call } from '../handler'

/** Returns the address and device of a registration. */
export const originOf = ({ clientIp, request }: Pick<Call, 'clientIp' | 'request'>): Origin => ({
  address: limitAddress(clientIp),
  deviceHash: deviceHashOf(request),
})

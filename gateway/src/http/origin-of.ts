import type { Origin } from '../accounts/invitations'
import { limitAddress } from '../accounts/limit-address'
import { deviceHashOf } from '../accounts/sessions/session-cookie'
import type { Call } from './handler'

/** From where somebody registers. */
export const originOf = ({ clientIp, request }: Pick<Call, 'clientIp' | 'request'>): Origin => ({
  address: limitAddress(clientIp),
  deviceHash: deviceHashOf(request),
})

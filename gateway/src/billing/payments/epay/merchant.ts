import type { OptionValues } from '@tollgate/contract'

import { signV1, signV2, verifyV1, verifyV2, type Parameters } from './signatures'

/** The account at an Epay service, as configured, and how it signs. */
export interface Merchant {
  /** Address of the service, without a trailing slash. */
  readonly address: string
  readonly id: string
  readonly protocol:
    | { readonly version: 1; readonly key: string }
    | { readonly version: 2; readonly privateKey: string; readonly platformKey: string }
}

/** Null while any part is missing. */
export function merchantIn(options: OptionValues): Merchant | null {
  const { PayAddress: address, EpayId: id, EpayKey: key } = options
  const { EpayPrivateKey: privateKey, EpayPlatformKey: platformKey } = options
  if (address === '' || id === '') return null
  if (options.EpayVersion === 'v1') return key === '' ? null : { address, id, protocol: { version: 1, key } }
  if (privateKey === '' || platformKey === '') return null
  return { address, id, protocol: { version: 2, privateKey, platformKey } }
}

/** Returns the parameters with their signature. @throws Error when the merchant's private key cannot be read. */
export const signedBy = ({ protocol }: Merchant, parameters: Parameters): Parameters =>
  protocol.version === 1
    ? { ...parameters, sign: signV1(parameters, protocol.key), sign_type: 'MD5' }
    : { ...parameters, sign: signV2(parameters, protocol.privateKey), sign_type: 'RSA' }

/** Returns whether the service signed the parameters. */
export const isFromService = ({ protocol }: Merchant, parameters: Parameters): boolean =>
  protocol.version === 1 ? verifyV1(parameters, protocol.key) : verifyV2(parameters, protocol.platformKey)

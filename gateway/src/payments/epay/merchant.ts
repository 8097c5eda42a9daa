import type { OptionValues } from '@tollgate/contract'

/** The account at an Epay service, as the options name it. */
export interface Merchant {
  /** Of the service, without a slash at the end. */
  readonly address: string
  readonly id: string
  readonly key: string
}

/** Null while any part is missing. */
export function merchantIn({ PayAddress: address, EpayId: id, EpayKey: key }: OptionValues): Merchant | null {
  return address === '' || id === '' || key === '' ? null : { address, id, key }
}

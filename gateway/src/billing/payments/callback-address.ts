import type { OptionValues } from '@tollgate/contract'

/** Returns the address for reports of providers, without a trailing slash; empty while the site has no address. */
export const callbackAddress = ({ CustomCallbackAddress: custom, ServerAddress: own }: OptionValues): string =>
  custom === '' ? own : custom

import type { OptionValues } from '@tollgate/contract'

/** Where providers report to, without a slash at the end; empty while the site has no address. */
export const callbackAddress = ({ CustomCallbackAddress: custom, ServerAddress: own }: OptionValues): string =>
  custom === '' ? own : custom

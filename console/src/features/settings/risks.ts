import { isSecretOption, optionKeys, type OptionKey } from '@tollgate/contract'

import type { OptionRow } from './option-value'
import { unusualValue } from './unusual-value'

/** An unexpected effect that a change may have on people. */
export type Risk =
  | 'passwordLogin'
  | 'secondFactor'
  | 'turnstile'
  | 'demo'
  | 'quotaPerUnit'
  | 'serverAddress'
  | 'largeAmount'

/** The values after a change; undefined for values that are not stored or hidden. */
interface Values {
  readonly after: (key: OptionKey) => string | undefined
  readonly before: (key: OptionKey) => string | undefined
}

interface RiskyChange {
  readonly risk: Risk
  readonly keys: readonly OptionKey[]
  readonly isRisky: (values: Values) => boolean
}

const risky: readonly RiskyChange[] = [
  {
    risk: 'passwordLogin',
    keys: ['PasswordLoginEnabled'],
    isRisky: ({ after }) => after('PasswordLoginEnabled') === 'false',
  },
  {
    risk: 'secondFactor',
    keys: ['SecondFactorRequired'],
    isRisky: ({ after }) => after('SecondFactorRequired') !== 'nobody',
  },
  {
    risk: 'turnstile',
    keys: ['TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey'],
    isRisky: ({ after }) => after('TurnstileCheckEnabled') === 'true',
  },
  { risk: 'demo', keys: ['DemoSiteEnabled'], isRisky: ({ after }) => after('DemoSiteEnabled') === 'true' },
  { risk: 'quotaPerUnit', keys: ['QuotaPerUnit'], isRisky: () => true },
  {
    risk: 'serverAddress',
    keys: ['ServerAddress'],
    // No user has signed up through a loopback address.
    isRisky: ({ before }) => !/^$|\/\/(?:localhost|127\.0\.0\.1)(?:[:/]|$)/.test(before('ServerAddress') ?? ''),
  },
  ...optionKeys.map((key): RiskyChange => ({
    risk: 'largeAmount',
    keys: [key],
    isRisky: ({ before, after }) => unusualValue(key, before(key), after(key) ?? '') !== undefined,
  })),
]

interface Changes {
  readonly changed: readonly OptionKey[]
  readonly draft: (key: OptionKey) => string | undefined
  readonly row: (key: OptionKey) => OptionRow | undefined
}

/** Returns what must be confirmed before these changes are saved, with the options that cause it. */
export function risksOf({
  changed,
  draft,
  row,
}: Changes): readonly { readonly risk: Risk; readonly keys: readonly OptionKey[] }[] {
  const before = (key: OptionKey) => (isSecretOption(key) ? undefined : row(key)?.value)
  const after = (key: OptionKey) => draft(key) ?? before(key)
  return risky.flatMap(({ risk, keys, isRisky }) => {
    const touched = keys.filter((key) => changed.includes(key))
    return touched.length > 0 && isRisky({ before, after }) ? [{ risk, keys: touched }] : []
  })
}

import { useTranslation } from '../../../lib/text/i18n'

/** Providers known to this release. */
export const providers = ['epay', 'stripe'] as const

/** Returns the name of a provider; the id of an unknown one. */
export function useProviderName() {
  const { t } = useTranslation('orders')
  return (id: string): string => {
    const known = providers.find((provider) => provider === id)
    return known ? t(`provider.${known}`) : id
  }
}

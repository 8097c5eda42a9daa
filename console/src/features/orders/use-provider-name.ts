import { useTranslation } from '../../lib/i18n'

/** Those that the shipped release knows. */
export const providers = ['epay', 'stripe'] as const

/** Returns how a provider is called; one of a later release by its id. */
export function useProviderName() {
  const { t } = useTranslation('orders')
  return (id: string): string => {
    const known = providers.find((provider) => provider === id)
    return known ? t(`provider.${known}`) : id
  }
}

import { useMemo } from 'react'

import { formatAgo, formatDollars, formatMoney, formatNumber, formatPaid, formatShare } from './format'
import { useTranslation } from './i18n'
import { useSite } from '../api/status'

/** Returns the formatters for the reader's language and the site's money. */
export function useFormat() {
  const { language } = useTranslation()
  const site = useSite()
  return useMemo(() => {
    const units = { quotaPerUnit: site.quota_per_unit, isCurrency: site.display_in_currency }
    return {
      language,
      number: (value: number) => formatNumber(value, language),
      share: (share: number) => formatShare(share, language),
      money: (quota: number) => formatMoney(quota, units, language),
      /** Always in dollars, whatever the site shows. */
      dollars: (dollars: number) => formatDollars(dollars, language),
      quotaInDollars: (quota: number) => formatDollars(quota / units.quotaPerUnit, language),
      /** A payment in its currency. */
      paid: (money: string, currency: string) => formatPaid(money, currency, language),
      /** A balance at a vendor in its currency; without a sign where that is not known. */
      vendorMoney: (amount: number, currency: string) => formatPaid(amount.toFixed(2), currency, language),
      ago: (unixSeconds: number, nowSeconds = Date.now() / 1000) => formatAgo(unixSeconds, nowSeconds, language),
    }
  }, [language, site.quota_per_unit, site.display_in_currency])
}

import { useTranslation } from '../../lib/text/i18n'

/** Default names of the built-in payment methods, in every language. */
const shipped: Readonly<Record<string, string>> = { alipay: '支付宝', wxpay: '微信支付' }

const known = {
  zfb: 'alipay',
  alipay: 'alipay',
  wx: 'wxpay',
  wxpay: 'wxpay',
  qqpay: 'qqpay',
  card: 'card',
  stripe: 'stripe',
} as const

const isKnown = (type: string): type is keyof typeof known => Object.hasOwn(known, type)

/** Returns the name of a payment method: in the reader's language unless the operator has renamed it. */
export function useMethodName() {
  const { t } = useTranslation('order')
  return (type: string, ownName?: string): string => {
    if (!isKnown(type)) return ownName ?? type
    const method = known[type]
    return ownName === undefined || ownName === shipped[method] ? t(`method.${method}`) : ownName
  }
}

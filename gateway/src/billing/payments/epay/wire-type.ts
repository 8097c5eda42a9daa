const names: Readonly<Record<string, string>> = { zfb: 'alipay', wx: 'wxpay' }

/** Returns the name by which Epay services know a payment method. */
export const wireType = (method: string): string => names[method] ?? method

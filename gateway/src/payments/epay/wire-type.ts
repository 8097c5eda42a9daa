const names: Readonly<Record<string, string>> = { zfb: 'alipay', wx: 'wxpay' }

/** A way to pay as Epay services call it. */
export const wireType = (method: string): string => names[method] ?? method

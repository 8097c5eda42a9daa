/** Mainland China, or everywhere else. */
export type Region = 'cn' | 'intl'

/** Where a model is bought: the id of a vendor, and a region with prices of its own. */
export interface Market {
  readonly vendor: string
  readonly region: Region
}

/** Vendors with an address in mainland China, and the hosts at which they sell to the rest of the world. */
const foreignHosts: Readonly<Record<string, RegExp | null>> = {
  baidu: null,
  dashscope: /(?:^|\.)dashscope-(?:intl|us)\.aliyuncs\.com$/,
  iflytek: null,
  jimeng: null,
  kling: /(?:^|[.-])singapore\.klingai\.com$|(?:^|\.)api\.klingai\.com$/,
  lingyiwanwu: null,
  minimax: /(?:^|\.)minimax\.io$|(?:^|\.)minimaxi\.chat$/,
  moonshot: /(?:^|\.)moonshot\.ai$/,
  qianfan: /(?:^|\.)bce-intl\.baidubce\.com$/,
  siliconflow: /(?:^|\.)siliconflow\.com$/,
  tencent: null,
  vidu: /(?:^|\.)vidu\.com$/,
  volcengine: /(?:^|\.)bytepluses\.com$/,
  zhipu: /(?:^|\.)z\.ai$/,
}

/** Returns the region whose prices a vendor charges at an address. An address of the operator's own has the vendor's default. */
export function regionOf(vendor: string, baseUrl: string): Region {
  const foreign = foreignHosts[vendor]
  if (foreign === undefined) return 'intl'
  return foreign?.test(URL.parse(baseUrl)?.hostname ?? '') === true ? 'intl' : 'cn'
}

/** Vendors whose prices depend on the address. */
export const regionalVendors: readonly string[] = Object.keys(foreignHosts)

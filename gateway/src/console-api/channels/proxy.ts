import { ChannelSetting, readFields } from '@tollgate/contract'

import type { ChannelRow } from '../../platform/store/tables'

const Proxy = ChannelSetting.pick({ proxy: true })

/** Returns the proxy in a channel's setting. */
export const proxyOf = (row: Pick<ChannelRow, 'setting'>): string | undefined =>
  readFields(Proxy, row.setting).proxy || undefined

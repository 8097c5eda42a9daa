import type { EditorField, Provider, Target } from '../provider'
import type { BatchApi } from './batch-api'

const setting = 'vendor_batches'

/** For vendors that have batches. */
export const vendorBatchesField: EditorField = {
  name: `setting.${setting}`,
  kind: 'select',
  label: { en: 'Batches at the vendor', zh: '上游批处理' },
  hint: {
    en: 'Whether batches of users are run as batches of the vendor, at its lower price. Otherwise this gateway makes their calls one by one.',
    zh: '用户的批处理是否交由上游以更低的价格执行；否则由本网关逐条调用',
  },
  default: 'auto',
  options: [
    { value: 'auto', label: { en: "At the vendor's own address only", zh: '仅在上游官方地址使用' } },
    { value: 'on', label: { en: 'Always', zh: '始终使用' } },
    { value: 'off', label: { en: 'Never', zh: '不使用' } },
  ],
}

/** Returns how batches run at a channel's address; undefined where they do not, or the operator does not want it. */
export function batchApiAt(provider: Provider, target: Pick<Target, 'baseUrl' | 'setting'>): BatchApi | undefined {
  const choice = target.setting?.[setting] ?? 'auto'
  if (choice === 'off' || (choice !== 'on' && target.baseUrl !== provider.baseUrl)) return undefined
  return provider.batches?.(target)
}

import { walletRoutes } from '@tollgate/contract'

import { csvFile, type CsvColumn } from '../../http/csv-file'
import { handler, type Handler } from '../../http/handler'
import { statementOf } from './statement'

const kindNames: Readonly<Record<walletRoutes.MovementKind, { readonly zh: string; readonly en: string }>> = {
  charges: { zh: '调用扣费', en: 'Calls' },
  setup: { zh: '初始额度', en: 'Set-up' },
  registration: { zh: '注册赠送', en: 'Registration' },
  invitation: { zh: '邀请奖励', en: 'Invitation' },
  redemption: { zh: '兑换码', en: 'Redemption code' },
  'check-in': { zh: '签到', en: 'Check-in' },
  'top-up': { zh: '在线充值', en: 'Top-up' },
  admin: { zh: '管理员调整', en: 'Administrator' },
  refund: { zh: '退款', en: 'Refund' },
}

const columns: readonly CsvColumn<walletRoutes.Movement>[] = [
  { name: { zh: '日期', en: 'Day' }, cell: ({ day }) => day },
  { name: { zh: '类型', en: 'Kind' }, cell: ({ kind }, language) => kindNames[kind][language] },
  { name: { zh: '额度', en: 'Quota' }, cell: ({ amount }) => amount },
  { name: { zh: '调用次数', en: 'Calls' }, cell: ({ calls }) => calls },
]

async function* once<Item>(item: Item) {
  yield item
}

export const walletHandlers: readonly Handler[] = [
  handler(walletRoutes.statement, ({ query }, { ctx, caller }) => statementOf(ctx, caller.userId, query.month)),
  handler(walletRoutes.exportStatement, async ({ query }, call) => {
    const { month, movements } = await statementOf(call.ctx, call.caller.userId, query.month)
    return csvFile(`statement-${month}`, columns, once(movements), call)
  }),
]

import { walletRoutes } from '@tollgate/contract'

import { csvFile, moneyColumns, type CsvColumn } from '../../http/response/csv-file'
import { handler, type Call, type Handler } from '../../http/handler'
import { openExpiringCredits } from '../../billing/expiring-quota/count-spending'
import { documentHandlers } from './documents'
import { statementOf } from './statement'

const kindNames: Readonly<Record<walletRoutes.MovementKind, { readonly zh: string; readonly en: string }>> = {
  charges: { zh: 'API 调用', en: 'API usage' },
  setup: { zh: '初始余额', en: 'Initial balance' },
  registration: { zh: '注册赠送', en: 'Welcome credit' },
  invitation: { zh: '邀请奖励', en: 'Invitation reward' },
  redemption: { zh: '兑换码', en: 'Redemption code' },
  plan: { zh: '套餐', en: 'Plan' },
  'plan-use': { zh: '套餐支付的调用', en: 'Calls paid by a plan' },
  'check-in': { zh: '签到奖励', en: 'Check-in reward' },
  'top-up': { zh: '在线充值', en: 'Top-up' },
  bonus: { zh: '充值赠送', en: 'Top-up bonus' },
  commission: { zh: '邀请返佣', en: 'Invitation commission' },
  admin: { zh: '管理员调整', en: 'Administrator adjustment' },
  refund: { zh: '退款或争议', en: 'Refund or dispute' },
  import: { zh: '迁移自原系统', en: 'Carried over' },
  expiry: { zh: '余额到期', en: 'Expired balance' },
}

const columns: readonly CsvColumn<walletRoutes.Movement>[] = [
  { name: { zh: '日期', en: 'Date' }, cell: ({ day }) => day },
  { name: { zh: '项目', en: 'Description' }, cell: ({ kind }, language) => kindNames[kind][language] },
  ...moneyColumns<walletRoutes.Movement>({ en: 'Amount', zh: '金额' }, ({ amount }) => amount),
  { name: { zh: '调用次数', en: 'Calls' }, cell: ({ calls }) => calls },
  { name: { zh: '订单号', en: 'Order' }, cell: (movement) => movement.trade_no },
  { name: { zh: '套餐', en: 'Plan' }, cell: ({ plan }) => plan },
]

async function* once<Item>(item: Item) {
  yield item
}

async function expiringQuota({ ctx, caller }: Call<'user'>): Promise<walletRoutes.ExpiringQuota[]> {
  const { credits } = await openExpiringCredits(ctx.database.query, caller.userId)
  return credits.map(({ quota, unspent, endsAt }) => ({ quota, unspent, ends_at: endsAt }))
}

export const walletHandlers: readonly Handler[] = [
  handler(walletRoutes.expiringQuota, (_input, call) => expiringQuota(call)),
  handler(walletRoutes.statement, ({ query }, { ctx, caller }) => statementOf(ctx, caller.userId, query.month)),
  handler(walletRoutes.exportStatement, async ({ query }, call) => {
    const { month, movements } = await statementOf(call.ctx, call.caller.userId, query.month)
    return csvFile(`statement-${month}`, columns, once(movements), call)
  }),
  ...documentHandlers,
]

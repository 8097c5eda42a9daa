import { whole, type SimulatedResponse } from '../simulated-response'

export interface Account {
  /** Models the upstream lists. */
  models: string[]
  /** What is left, in the vendor's own currency. */
  balance: number
}

const model = (id: string) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'simulator' })

export const modelList = (account: Account): SimulatedResponse =>
  whole({ object: 'list', data: account.models.map(model) })

/** GitHub's catalogue is a bare list. */
export const modelCatalogue = (account: Account): SimulatedResponse =>
  whole(account.models.map((id) => ({ id, name: id })))

export function oneModel(account: Account, id: string): SimulatedResponse {
  if (account.models.includes(id)) return whole(model(id))
  const message = `The model '${id}' does not exist`
  return whole(
    { error: { message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' } },
    null,
    null,
    404,
  )
}

/** The balance calls of vendors, by the end of their path. The OpenAI pair says: 100 granted, the rest used. */
export const balanceCalls: Readonly<Record<string, (account: Account) => SimulatedResponse>> = {
  '/dashboard/billing/subscription': () =>
    whole({
      object: 'billing_subscription',
      has_payment_method: true,
      hard_limit_usd: 100,
      soft_limit_usd: 100,
      access_until: 0,
    }),
  '/dashboard/billing/usage': (account) => whole({ object: 'list', total_usage: (100 - account.balance) * 100 }),
  '/user/balance': (account) =>
    whole({
      is_available: account.balance > 0,
      balance_infos: [
        { currency: 'USD', total_balance: '0.00', granted_balance: '0.00', topped_up_balance: '0.00' },
        {
          currency: 'CNY',
          total_balance: account.balance.toFixed(2),
          granted_balance: '0.00',
          topped_up_balance: account.balance.toFixed(2),
        },
      ],
    }),
  '/credits': (account) => whole({ data: { total_credits: 100, total_usage: 100 - account.balance } }),
  '/users/me/balance': (account) =>
    whole({
      code: 0,
      data: { available_balance: account.balance, voucher_balance: 0, cash_balance: account.balance },
      status: true,
    }),
  '/user/info': (account) =>
    whole({
      code: 20000,
      message: 'OK',
      status: true,
      data: { id: 'sim', balance: '0', totalBalance: account.balance.toFixed(2) },
    }),
}

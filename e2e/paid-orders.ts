import { expect } from 'bun:test'

import { paymentRoutes } from '@tollgate/contract'
import type { EpayService } from '@tollgate/simulator'

import { openQueries } from './ledger-audit'
import type { Console } from './console'

const dollars = 10
const ordersAtOnce = 6

/**
 * How far the reports of a round are at the kill: before the gateway's query to the service about the first one is answered, or after this
 * many of them.
 */
const blows = ['asked', 1, 4] as const

/** Options of a world with this service. */
export const epayOptions = (service: EpayService) => ({
  ServerAddress: 'https://gate.example',
  PayAddress: service.url,
  EpayId: service.merchantId,
  EpayKey: service.key,
})

/** Orders paid at the service, which reports them again until the gateway responds with `success`. */
export class PaidOrders {
  #numbers: string[] = []
  #waiting = new Set<string>()

  constructor(
    private readonly service: EpayService,
    private readonly console: Console,
    private readonly gatewayUrl: string,
  ) {}

  /** Creates and pays the orders of a round. */
  async pay(): Promise<void> {
    for (let count = 0; count < ordersAtOnce; count += 1) {
      const form = await this.console.call(paymentRoutes.pay, { body: { amount: dollars, payment_method: 'zfb' } })
      const number = form['out_trade_no'] ?? ''
      this.service.open(form)
      this.service.pay(number)
      this.#numbers.push(number)
      this.#waiting.add(number)
    }
  }

  /** Reports all pending orders and strikes when some are settled and others are at any step. */
  async strikeWhileReporting(round: number, strike: () => Promise<void>): Promise<void> {
    const blow = blows[round % blows.length]
    let struck: Promise<void> | undefined
    let heard = 0
    if (blow === 'asked') this.service.onQuery = () => void (struck ??= strike())
    await Promise.all(
      [...this.#waiting].map(async (number) => {
        if ((await this.#report(number)) && (heard += 1) === blow) struck ??= strike()
      }),
    )
    this.service.onQuery = null
    await (struck ?? strike())
  }

  /** Repeats what the gateway has not accepted yet. */
  async reportRest(): Promise<void> {
    for (const number of this.#waiting) expect(await this.#report(number)).toBe(true)
  }

  /** Checks that every order is credited once, with the amount it was made for. */
  async expectCredited(dataDir: string, databaseUrl: string): Promise<void> {
    await using queries = openQueries(dataDir, databaseUrl)
    const rows = await queries.rows<{ number: string; status: string; credits: string; amount: string }>(
      `select number, status,
        (select count(*) from credits where credits.id like 'order:' || orders.number || '%') as credits,
        (select sum(amount) from credits where credits.id = 'order:' || orders.number) as amount
        from orders order by id`,
    )
    const settled = rows.map(({ number, status, credits, amount }) => [number, status, Number(credits), Number(amount)])
    expect(settled).toEqual(this.#numbers.map((number) => [number, 'paid', 1, dollars * 500_000]))
  }

  async #report(number: string): Promise<boolean> {
    const report = this.service.notification(number).toString()
    const text = await fetch(`${this.gatewayUrl}/api/user/epay/notify?${report}`)
      .then((response) => response.text())
      // The gateway died meanwhile.
      .catch(() => '')
    const isTaken = text === 'success'
    if (isTaken) this.#waiting.delete(number)
    return isTaken
  }
}

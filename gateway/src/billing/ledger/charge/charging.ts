import type { Logger } from 'pino'

import { AppError } from '../../../platform/app-error'
import { messageOf } from '../../../platform/text/message-of'
import { chargeRecord, type ChargeRecord, type WindowDraws } from './charge-record'
import type { ChargeSink } from '../journal/journal-sink'
import type { LeaseDebt } from '../lease/lease-charges'
import type { LeaseKeeper } from '../lease/lease-keeper'
import type { Charge } from '../ledger'
import { giveUp, isAmount, type HeldReservation, type HeldWindow } from '../lease/reservations'
import { drawnBy } from '../window/draws'

export interface ChargingOptions {
  readonly leases: LeaseKeeper
  readonly log: Logger
  /** Opens the sink, which reports the charges that reached the database. */
  readonly openSink: (onApplied: (records: readonly ChargeRecord[], debts: readonly LeaseDebt[]) => void) => ChargeSink
}

export interface Charging {
  readonly sink: ChargeSink
  /** Charges a reservation that has ended. Resolves when the charge is durable. */
  readonly charge: (held: HeldReservation, charge: Charge) => Promise<void>
}

/** Takes charges off the leases in memory and makes them durable, each request at most once. */
export function createCharging({ leases, log, openSink }: ChargingOptions): Charging {
  /** Requests whose charge the database does not have. A disk that fails may bring a charge there twice; it counts once. */
  const unapplied = new Set<string>()
  const sink = openSink((applied, debts) => {
    leases.debtsPaid(debts)
    for (const record of applied) if (unapplied.delete(record.requestId)) leases.markApplied(record)
  })

  async function charge(held: HeldReservation, charge: Charge): Promise<void> {
    const { requestId, payer, user, token, amount } = held
    const { cost } = charge
    if (!isAmount(cost)) {
      giveUp(held)
      throw new RangeError(`A call cannot cost ${cost}`)
    }
    if (unapplied.has(requestId)) {
      log.warn({ requestId }, 'a request that is charged already was charged again')
      return giveUp(held)
    }
    unapplied.add(requestId)
    user?.book.charge(amount, cost)
    token?.book.charge(amount, cost)
    const drawn = drawFromWindows(held, charge)
    const from = { userLease: user?.key.id ?? '', tokenLease: token?.key.id ?? '', windows: drawn }
    try {
      await sink.add(chargeRecord(requestId, payer, charge, from))
    } catch (error) {
      unapplied.delete(requestId)
      user?.uncharge(cost)
      token?.uncharge(cost)
      uncharge(held, charge)
      // The failure itself is reported once, with its stack.
      const reason = messageOf(error instanceof AppError ? (error.cause ?? error) : error)
      log.warn({ requestId, cost, reason }, 'a charge was given up; its call is refused and costs nothing')
      throw error
    }
  }

  return { sink, charge }
}

/** Charges the windows of the caller, then those of the channel and key that served it, in memory. Returns undefined where there are none. */
function drawFromWindows(held: HeldReservation, charge: Charge): WindowDraws[] | undefined {
  let draws: WindowDraws[] | undefined
  let last: { readonly series: string; readonly drawn: number[] } | undefined
  eachDraw(held, charge, ({ lease, count }, amount) => {
    const { series, refId } = lease.key
    lease.book.charge(count ?? held.amount, amount)
    if (last?.series !== series) (draws ??= []).push((last = { series, drawn: [] }))
    last.drawn.push(refId, amount)
  })
  return draws
}

const uncharge = (held: HeldReservation, charge: Charge): void =>
  eachDraw(held, charge, ({ lease }, amount) => lease.uncharge(amount))

function eachDraw(
  { windows, ofAttempt }: HeldReservation,
  charge: Charge,
  visit: (window: HeldWindow, amount: number) => void,
): void {
  for (const window of windows) visit(window, drawnBy(window.measure, charge, false))
  for (const window of ofAttempt) visit(window, drawnBy(window.measure, charge, true))
}

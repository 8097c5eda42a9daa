import type { Logger } from 'pino'

import { AppError } from '../../../platform/app-error'
import { messageOf } from '../../../platform/text/message-of'
import { chargeRecord, type ChargeRecord } from './charge-record'
import type { ChargeSink } from '../journal/journal-sink'
import type { LeaseDebt } from '../lease/lease-charges'
import type { LeaseKeeper } from '../lease/lease-keeper'
import type { Charge } from '../ledger'
import { giveUp, isAmount, type HeldReservation } from '../lease/reservations'
import { amountDrawn, drawableOf, type Drawable } from '../window/draws'
import { namesOf } from '../window/leased-windows'

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
    leases.markApplied(applied.filter(({ requestId }) => unapplied.delete(requestId)))
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
    const record = chargeRecord(requestId, payer, charge, {
      userLease: user?.key.id ?? '',
      tokenLease: token?.key.id ?? '',
      windows: drawsOf(held),
    })
    user?.book.charge(amount, cost)
    token?.book.charge(amount, cost)
    const drawable = drawableOf(record)
    drawFromWindows(held, drawable)
    try {
      await sink.add(record)
    } catch (error) {
      unapplied.delete(requestId)
      user?.uncharge(cost)
      token?.uncharge(cost)
      uncharge(held, drawable)
      // The failure itself is reported once, with its stack.
      const reason = messageOf(error instanceof AppError ? (error.cause ?? error) : error)
      log.warn({ requestId, cost, reason }, 'a charge was given up; its call is refused and costs nothing')
      throw error
    }
  }

  return { sink, charge }
}

/** Returns the names of what a call draws from; undefined where there is nothing. */
function drawsOf({ windows, ofAttempt }: HeldReservation): readonly string[] | undefined {
  if (ofAttempt.length > 0) return [...windows.names, ...namesOf(ofAttempt)]
  return windows.names.length > 0 ? windows.names : undefined
}

/** Charges the windows of the caller, then those of the channel and key that served it, in memory. */
function drawFromWindows(held: HeldReservation, drawable: Drawable): void {
  let index = 0
  for (const { lease, draws } of held.windows.all) {
    lease.book.charge(held.heldOfWindow(index), amountDrawn(draws, drawable))
    index += 1
  }
  for (const { lease, draws, count } of held.ofAttempt) lease.book.charge(count, amountDrawn(draws, drawable))
}

function uncharge({ windows, ofAttempt }: HeldReservation, drawable: Drawable): void {
  for (const { lease, draws } of windows.all) lease.uncharge(amountDrawn(draws, drawable))
  for (const { lease, draws } of ofAttempt) lease.uncharge(amountDrawn(draws, drawable))
}

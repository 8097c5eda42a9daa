import type { Logger } from 'pino'

import { AppError } from '../../../platform/app-error'
import { messageOf } from '../../../platform/text/message-of'
import { chargeRecord, type ChargeRecord, type WindowDraw } from './charge-record'
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
    leases.markApplied(leaseIdsOf(applied.filter(({ requestId }) => unapplied.delete(requestId))))
  })

  async function charge(held: HeldReservation, charge: Charge): Promise<void> {
    const { requestId, payer, user, token, amount } = held
    const windows = windowsOf(held)
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
    const drawn = windows.length === 0 ? undefined : windows.map((window) => drawFrom(window, amount, charge))
    const from = { userLease: user?.key.id ?? '', tokenLease: token?.key.id ?? '', windows: drawn }
    try {
      await sink.add(chargeRecord(requestId, payer, charge, from))
    } catch (error) {
      unapplied.delete(requestId)
      user?.uncharge(cost)
      token?.uncharge(cost)
      windows.forEach(({ lease }, index) => lease.uncharge(drawn?.[index]?.amount ?? 0))
      // The failure itself is reported once, with its stack.
      const reason = messageOf(error instanceof AppError ? (error.cause ?? error) : error)
      log.warn({ requestId, cost, reason }, 'a charge was given up; its call is refused and costs nothing')
      throw error
    }
  }

  return { sink, charge }
}

/** Those of its caller, and those of the channel and key that served it. */
function windowsOf({ windows, ofAttempt }: HeldReservation): readonly HeldFromWindow[] {
  if (windows.length === 0 && ofAttempt.length === 0) return noWindows
  return [
    ...windows.map((window) => ({ ...window, isOfChannel: false })),
    ...ofAttempt.map((window) => ({ ...window, isOfChannel: true })),
  ]
}

interface HeldFromWindow extends HeldWindow {
  readonly isOfChannel: boolean
}

const noWindows: readonly HeldFromWindow[] = []

/** Charges a window with what a call drew from it, in memory. `held` is the quota that the call had reserved. */
function drawFrom({ lease, measure, count, isOfChannel }: HeldFromWindow, held: number, charge: Charge): WindowDraw {
  const amount = drawnBy(measure, charge, isOfChannel)
  lease.book.charge(count ?? held, amount)
  return { lease: lease.key.id, period: lease.key.refId, amount }
}

function* leaseIdsOf(records: readonly ChargeRecord[]) {
  for (const { userLease, tokenLease, windows = [] } of records) {
    if (userLease !== '') yield userLease
    if (tokenLease !== '') yield tokenLease
    for (const { lease } of windows) yield lease
  }
}

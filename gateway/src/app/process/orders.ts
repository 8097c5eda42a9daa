import { parsedJson } from '../../platform/text/parsed-json'

/** What the supervisor decided for one worker. */
export interface WorkerOrders {
  readonly workerId: string
  /** Missing for the first worker: it prepares the node and reports the code. */
  readonly setupCode: string | undefined
}

/** Carries the orders, and so distinguishes a worker from the process that an operator starts. */
export const ordersVariable = 'TOLLGATE_WORKER_ORDERS'

/** The exit code of a worker that cannot start for a reason the operator has to fix: another one could not either. */
export const cannotStartCode = 78

/**
 * Returns the orders in a worker's environment. Checked by hand, as the messages are: see `messages.ts`.
 * @throws TypeError when the text does not contain orders.
 */
export function readOrders(text: string): WorkerOrders {
  const orders = parsedJson(text)
  const workerId = memberOf(orders, 'workerId')
  const setupCode = memberOf(orders, 'setupCode')
  if (typeof workerId === 'string' && (setupCode === undefined || typeof setupCode === 'string'))
    return { workerId, setupCode }
  throw new TypeError(`${ordersVariable} does not hold the orders of a worker`)
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

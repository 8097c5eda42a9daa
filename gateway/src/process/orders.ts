/** What the supervisor decided for one worker. */
export interface WorkerOrders {
  readonly workerId: string
  readonly setupCode: string
}

/** Carries the orders, and so tells a worker apart from the process that an operator starts. */
export const ordersVariable = 'TOLLGATE_WORKER_ORDERS'

import { ordersVariable, type WorkerOrders } from './orders'

type Environment = Record<string, string | undefined>

/** The release whose memory management was measured. Its options are no promise: another release may refuse to start with them. */
const measuredRuntime = '1.4.5'

const memoryManagement = {
  // What survived short collections may double until the collector looks whether it is still needed, instead of treble: at 400
  // streams that is 60 MB less, and costs no CPU that can be measured.
  BUN_JSC_heapGrowthMaxIncrease: '1',
  // Milliseconds. Beside what allocation makes necessary the runtime collects by the clock, each second, and calls wait for it:
  // at 100 streams the first token's p99 is 0.1 to 0.5 ms less without most of it, a frame's CPU 3 % less, and memory the same.
  BUN_GC_TIMER_INTERVAL: '60000',
  // Milliseconds. The allocator gives gaps between small pieces back to the system on a thread of its own, for which it wakes with nearly every
  // timer: 2 to 10 % of a frame's CPU, for memory that is taken again at once. Larger pieces are given back as ever.
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '1000',
}

/** The environment of a worker: the operator's, and what the runtime reads there before any of our code runs. */
export const workerEnvironment = (
  environment: Environment,
  orders: WorkerOrders,
  runtime: string = Bun.version,
): Environment => ({
  ...(runtime === measuredRuntime && memoryManagement),
  ...environment,
  BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
  [ordersVariable]: JSON.stringify(orders),
})

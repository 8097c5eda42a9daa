import { ordersVariable, type WorkerOrders } from './orders'

type Environment = Record<string, string | undefined>

/** The release whose memory management was measured. Its options are not stable: another release may refuse to start with them. */
const measuredRuntime = '1.4.5'

const memoryManagement = {
  // What survived minor collections may double, instead of triple, before the collector checks whether it is still needed: at 400 streams
  // that saves 60 MB, and costs no measurable CPU.
  BUN_JSC_heapGrowthMaxIncrease: '1',
  // Milliseconds. Besides collecting when allocation requires it the runtime collects every second, and calls wait for it: at 100 streams
  // the first token's p99 is 0.1 to 0.5 ms less without most of it, a frame's CPU 3 % less, and memory the same.
  BUN_GC_TIMER_INTERVAL: '60000',
  // Milliseconds. The allocator returns gaps between small pieces to the system on a thread of its own, for which it wakes with nearly
  // every timer: 2 to 10 % of a frame's CPU, for memory that is taken again at once. Larger pieces are still returned.
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '1000',
}

/** Returns the environment of a worker: the operator's, and what the runtime reads there before any of our code runs. */
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

import { ConfigError, readConfig, type Config } from './config'
import { ordersVariable, type WorkerOrders } from './process/orders'

/** One program: without orders it supervises, with them it is one of the workers. Each loads only what it needs. */
try {
  const config = readConfig(process.env)
  const orders = process.env[ordersVariable]
  process.exitCode = orders ? await runWorker(config, JSON.parse(orders) as WorkerOrders) : await runSupervisor(config)
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
process.exit()

async function runWorker(config: Config, orders: WorkerOrders): Promise<number> {
  const { work } = await import('./process/worker')
  return work(config, orders)
}

async function runSupervisor(config: Config): Promise<number> {
  const { supervise } = await import('./process/supervisor')
  return supervise(config, (line) => console.log(line))
}

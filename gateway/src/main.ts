import { ConfigError, readConfig } from './config'
import { ordersVariable, supervise, type WorkerOrders } from './process/supervisor'
import { work } from './process/worker'

/** One program: without orders it supervises, with them it is one of the workers. */
try {
  const config = readConfig(process.env)
  const orders = process.env[ordersVariable]
  process.exitCode = orders
    ? await work(config, JSON.parse(orders) as WorkerOrders)
    : await supervise(config, (line) => console.log(line))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
process.exit()

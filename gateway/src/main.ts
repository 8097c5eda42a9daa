import { ordersVariable, type WorkerOrders } from './process/orders'
import { startFailure } from './process/start-failure'

/**
 * One program: with orders it is one of the workers, with words an operator's command, else it supervises.
 * Each loads only what it needs.
 */
try {
  const orders = process.env[ordersVariable]
  const words = process.argv.slice(2)
  if (orders) process.exitCode = await runWorker(JSON.parse(orders) as WorkerOrders)
  else if (words.length > 0) process.exitCode = await runOperatorCommand(words)
  else process.exitCode = await runSupervisor()
} catch (error) {
  console.error(startFailure(error))
  process.exitCode = 1
}
process.exit()

async function runWorker(orders: WorkerOrders): Promise<number> {
  const [{ readConfig }, { work }] = await Promise.all([import('./config'), import('./process/worker')])
  return work(readConfig(process.env), orders)
}

async function runOperatorCommand(words: readonly string[]): Promise<number> {
  const { runCommand } = await import('./commands/run-command')
  return runCommand(words, { environment: process.env, print: (line) => console.log(line) })
}

async function runSupervisor(): Promise<number> {
  const { supervise } = await import('./process/supervisor')
  return supervise(process.env, (line) => console.log(line))
}

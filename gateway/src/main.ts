import { createLogWriter } from './platform/telemetry/log/log-writer'
import { cannotStartCode, ordersVariable, readOrders, type WorkerOrders } from './app/process/orders'
import { startFailure } from './app/process/start-failure'

/**
 * One program: with orders it is one of the workers, with words an operator's command, otherwise it supervises. Each loads only what it
 * needs.
 */

// Files that this program creates are for its own user only.
process.umask(0o077)

const orders = process.env[ordersVariable]
const words = process.argv.slice(2)
const isCommand = !orders && words.length > 0
const writeLog = createLogWriter({ logLevel: process.env['LOG_LEVEL'] })
if (!isCommand) logUncaughtErrors()

try {
  if (orders) process.exitCode = await runWorker(readOrders(orders))
  else if (isCommand) process.exitCode = await runOperatorCommand(words)
  else process.exitCode = await runSupervisor()
} catch (error) {
  const sentence = startFailure(error)
  if (isCommand) console.error(sentence ?? error)
  else if (sentence === null) writeLog('fatal', 'Tollgate cannot run', { error })
  else writeLog('fatal', sentence)
  process.exitCode = orders && sentence !== null ? cannotStartCode : 1
}
process.exit()

async function runWorker(orders: WorkerOrders): Promise<number> {
  const [{ readConfig }, { work }] = await Promise.all([
    import('./platform/config/config'),
    import('./app/process/worker'),
  ])
  return work(readConfig(process.env), orders, writeLog)
}

async function runOperatorCommand(words: readonly string[]): Promise<number> {
  const { runCommand } = await import('./app/commands/run-command')
  return runCommand(words, { environment: process.env, print: (line) => console.log(line) })
}

async function runSupervisor(): Promise<number> {
  const { supervise } = await import('./app/process/supervisor')
  return supervise(process.env, writeLog)
}

/** The runtime would print these as text among the lines of the log. */
function logUncaughtErrors(): void {
  process.env['NODE_NO_WARNINGS'] = '1'
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      writeLog('fatal', 'An error was not handled: the process ends', { error })
      process.exit(1)
    })
  }
  process.on('warning', (warning) => writeLog('warn', warning.message, { type: warning.name }))
}

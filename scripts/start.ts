import { encodeLaunchers, launchersOf, launchersVariable } from '../gateway/src/app/process/launchers'
import { buildConsole } from './build-console'
import { buildGateway } from './build-gateway'

// Before the build: a launcher that ends meanwhile would go unnoticed.
process.env[launchersVariable] = encodeLaunchers(launchersOf(process.pid))

/** Build what has changed and become the gateway. */
const [program] = await Promise.all([buildGateway(), buildConsole()])
const command = [process.execPath, program, ...process.argv.slice(2)]

// In place of this process, which would only keep memory and stand between the gateway and its signals.
if (process.platform !== 'win32') process.execve?.(process.execPath, command, process.env)
process.exit(await Bun.spawn(command, { stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' }).exited)

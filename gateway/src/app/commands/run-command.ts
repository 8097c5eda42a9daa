import { ConfigError } from '../../platform/config/config'
import { UpkeepError } from '../../operations/upkeep-error'
import { version } from '../../platform/config/version'
import { apply } from './apply'
import { backup } from './backup'
import { CommandError, UsageError, type Command, type CommandWorld } from './command'
import { doctor } from './doctor'
import { importCommand } from './import'
import { exportSite } from './export'
import { exportLogs } from './export-logs'
import { move } from './move'
import { reconcile } from './reconcile'
import { option } from './option'
import { resetPassword } from './reset-password'
import { restore } from './restore'
import { rotateSecret } from './rotate-secret'
import { unlock } from './unlock'
import { verify } from './verify'

const commands: readonly Command[] = [
  doctor,
  reconcile,
  backup,
  verify,
  restore,
  rotateSecret,
  move,
  importCommand,
  resetPassword,
  unlock,
  option,
  apply,
  exportSite,
  exportLogs,
]

const helpWords = new Set(['help', '--help', '-h'])

/** Runs the command that the program's arguments name. Resolves with the exit code: 0 done, 1 something is wrong, 2 not understood. */
export async function runCommand(words: readonly string[], world: CommandWorld): Promise<number> {
  const [name = 'help', ...parameters] = words
  if (helpWords.has(name)) return printLines(world, helpOfAll())
  if (name === '--version') return printLines(world, [`Tollgate ${version}`])
  const command = commands.find((known) => known.name === name)
  if (!command) {
    world.print(`There is no command ${name}. The commands are ${commands.map((known) => known.name).join(', ')};`)
    world.print('tollgate --help describes them, and without a command the gateway starts.')
    return 2
  }
  if (parameters.some((word) => word !== 'help' && helpWords.has(word))) return printLines(world, helpOf(command))
  try {
    return await command.run(parameters, world)
  } catch (error) {
    if (error instanceof UsageError) {
      world.print(error.message)
      world.print(`Usage: ${usage(command)}`)
      return 2
    }
    if (!(error instanceof CommandError || error instanceof UpkeepError || error instanceof ConfigError)) throw error
    world.print(error.message)
    return 1
  }
}

function printLines(world: CommandWorld, lines: readonly string[]): number {
  for (const line of lines) world.print(line)
  return 0
}

const usage = ({ name, parameters }: Command) => `tollgate ${name}${parameters && ` ${parameters}`}`

const helpOf = (command: Command) => [`Usage: ${usage(command)}`, '', command.summary, ...command.details]

function helpOfAll(): string[] {
  const entries = [
    ['tollgate', 'Start the gateway.'] as const,
    ...commands.map((command) => [usage(command), command.summary] as const),
    ['tollgate --version', 'Print the release.'] as const,
  ]
  const width = Math.max(...entries.map(([left]) => left.length))
  return [
    'Usage:',
    ...entries.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    '',
    'Every command reads the same environment as the gateway: DATA_DIR, DATABASE_URL, SECRET_KEY, …',
    'tollgate <command> --help says more.',
  ]
}

import { readFileSync, statSync } from 'node:fs'

import { applySite } from '../site-file/apply-site'
import { readSiteFile } from '../site-file/read-file'
import { siteFileSchema } from '../site-file/site-file'
import { openSite } from '../site-file/transaction-site'
import { announce, openForWriting, openSeal } from './act'
import { CommandError, UsageError, type Command, type CommandWorld } from './command'

/** Makes the site as a file says. */
export const apply: Command = {
  name: 'apply',
  parameters: '-f FILE [--dry-run] [--prune] | --schema',
  summary: 'Make options, channels, prices, plans and limits as a file says.',
  details: [
    'Prints what changes, and changes all of it or nothing; with --dry-run nothing. The gateway may run, and follows within a second.',
    'What an earlier file has made and this one does not name is removed; with --prune also what was made in the console. A section that the',
    'file does not have is left alone. ${NAME} is a variable of the environment, $${ the text ${.',
    '--schema prints the JSON schema of the file, for editors. `tollgate export` prints the file of this site.',
  ],
  async run(parameters, world) {
    const { file, isDry, isPruning, isSchema } = readParameters(parameters)
    if (isSchema) {
      world.print(JSON.stringify(siteFileSchema(), null, 2))
      return 0
    }
    if (file === undefined) throw new UsageError('apply takes a file.')
    const read = readSiteFile(file, readText(file), world)
    world.print(endings[await change(read, { isDry, isPruning }, world)])
    return 0
  },
}

const endings = {
  same: 'Nothing to change.',
  undone: 'Nothing was changed: this was a dry run.',
  done: 'Done.',
} as const

interface Parameters {
  file?: string
  isDry: boolean
  isPruning: boolean
  isSchema: boolean
}

function readParameters(words: readonly string[]): Parameters {
  const read: Parameters = { isDry: false, isPruning: false, isSchema: false }
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]
    if (word === '--dry-run') read.isDry = true
    else if (word === '--prune') read.isPruning = true
    else if (word === '--schema') read.isSchema = true
    else if (word === '-f') read.file = words[(index += 1)]
    else throw new UsageError(`apply does not take ${word}.`)
  }
  return read
}

/** A site of tens of thousands of channels has less. Each byte takes a hundred while it is parsed. */
const maxFileBytes = 8 * 1024 * 1024

function readText(file: string): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > maxFileBytes) throw new CommandError(`${file} has more than ${maxFileBytes / 1024 / 1024} MB.`)
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CommandError(`${file} cannot be read.`, { cause })
  }
}

/** Undoes a transaction that leaves everything as it was. */
class Undone extends Error {
  override readonly name = 'Undone'
  constructor(readonly ending: 'same' | 'undone') {
    super()
  }
}

/** Prints what changes before it is committed. Two of them follow one another: the first statement locks what every change counts up. */
async function change(
  read: ReturnType<typeof readSiteFile>,
  { isDry, isPruning }: Pick<Parameters, 'isDry' | 'isPruning'>,
  world: CommandWorld,
): Promise<keyof typeof endings> {
  const database = await openForWriting(world)
  try {
    const parts = await openSeal(database, world)
    await database.query.transaction().execute(async (transaction) => {
      await announce({ topic: 'catalog', refId: 0 }, transaction)
      const site = await openSite({ ...parts, database }, transaction)
      const lines = await applySite(site, read, { isPruning })
      for (const line of lines) world.print(line)
      if (isDry || lines.length === 0) throw new Undone(lines.length === 0 ? 'same' : 'undone')
    })
    return 'done'
  } catch (error) {
    if (error instanceof Undone) return error.ending
    throw error
  } finally {
    await database.close()
  }
}

import { resolve } from 'node:path'

import { verifyBackup } from '../../operations/verify-backup'
import { UsageError, type Command } from './command'

/** Checks whether a backup is what was written. */
export const verify: Command = {
  name: 'verify',
  parameters: '<folder>',
  summary: 'Compare the files of a backup with its manifest, and read its whole database.',
  details: ['Nothing is changed. Exit code 0: it is intact. 1: it is not, and the last line says what is wrong.'],
  async run(parameters, { print }) {
    const [source, ...rest] = parameters
    if (!source || rest.length > 0) throw new UsageError('verify takes the folder of one backup.')
    const { release, createdAt, files } = await verifyBackup(resolve(source))
    print(`Whole: ${files.length} files, made by ${release} at ${createdAt}`)
    return 0
  },
}

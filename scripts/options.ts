import { join } from 'node:path'

import { optionTable } from './options/option-table'

/** The table of all options in the docs, made of the list of options, their texts and the tests. One that was out of date is a fault once. */
const file = Bun.file(join(import.meta.dir, '../docs/options.md'))
const { markdown, faults } = await optionTable(join(import.meta.dir, '..'))
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
if (!(await file.exists()) || (await file.text()) !== markdown) {
  await file.write(markdown)
  console.error('docs/options.md was out of date; it is written now: commit it and run this again')
  process.exit(1)
}

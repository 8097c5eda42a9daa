import { expect, test } from 'bun:test'

import { z } from 'zod'

import { onBothDatabases } from '../../../test/databases'
import { readNote, readNotes, writeNotes } from './site-notes'

onBothDatabases('site notes', (world) => {
  test('a note replaces the one with its name, and an unreadable one counts as missing', async () => {
    const { query } = world().database
    const read = (name: string) => readNote(query, name, z.number())
    expect(await read('job:a')).toBeNull()
    await writeNotes(query, [], 1000)
    await writeNotes(
      query,
      [
        { name: 'job:a', value: 1 },
        { name: 'job:b', value: 'no number' },
        { name: 'other', value: 3 },
      ],
      1000,
    )
    await writeNotes(query, [{ name: 'job:a', value: 2 }], 2000)
    expect([await read('job:a'), await read('job:b')]).toEqual([2, null])
    expect(await readNotes(query, 'job:', z.number())).toEqual([2])
  })
})

import { describe, expect, test } from 'bun:test'

import { provenanceOf } from './provenance'
import { recordingsTable, withTable } from './recordings-table'

const root = `${import.meta.dir}/../..`

describe('docs/recordings.md', () => {
  test('each response in a fixture says where it comes from, and the page says the same', async () => {
    const { markdown, faults } = await recordingsTable(root)
    expect(faults).toEqual([])
    const page = await Bun.file(`${root}/docs/recordings.md`).text()
    // Otherwise: bun scripts/recordings.ts
    expect(withTable(page, markdown)).toBe(page)
  })

  test('a page without a place for the table is refused', () => {
    expect(() => withTable('# Recordings', '')).toThrow('no place')
  })
})

describe('the provenance of a response', () => {
  const recorded = { kind: 'recorded', on: '2026-11-23' }
  const documented = { kind: 'documented', page: 'https://docs.example.com' }

  test('parts are named for what they answer', () => {
    const fixture = {
      cases: [{ mode: 'chat', request: { stream: 'x' }, upstream: { url: 'u', body: { answer: 1 } } }],
      source: recorded,
      answer: {},
      others: [{ source: documented, way: { mode: 'embeddings', model: 'm' }, answer: {} }],
      error: { source: { kind: 'invented' }, status: 404, body: {} },
    }
    const { parts, faults } = provenanceOf(fixture)
    expect(faults).toEqual([])
    expect(parts.map(({ part, kind }) => [part, kind])).toEqual([
      ['chat', 'recorded'],
      ['embeddings (m)', 'documented'],
      ['error', 'invented'],
    ])
    expect(parts[0]?.on).toBe('2026-11-23')
  })

  test.each([
    [{ answer: {} }, 'the fixture has a response without a source'],
    [{ source: recorded, answer: {}, error: { status: 404, body: {} } }, 'error has a response without a source'],
    [{ source: recorded, answer: {}, others: [{ answer: {} }] }, 'others[0] has a response without a source'],
    [{ mj: { replies: [{ reply: {} }] } }, 'mj.replies[0] has a response without a source'],
    [{ source: { kind: 'recorded' }, answer: {} }, 'the fixture has a response without a source'],
    [{ source: { kind: 'documented' }, stream: 'data: {}' }, 'the fixture has a response without a source'],
    [{ cases: [] }, 'has no response with a source'],
  ])('%j is found', (fixture, fault) => {
    expect(provenanceOf(fixture).faults).toEqual([fault])
  })

  test('a source above several responses stands for all of them', () => {
    const { parts, faults } = provenanceOf({
      source: documented,
      submissions: [{ reply: {} }],
      reports: [{ body: {} }],
    })
    expect(faults).toEqual([])
    expect(parts.map(({ part }) => part)).toEqual(['videos'])
  })
})

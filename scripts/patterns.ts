import { readFileSync, writeFileSync } from 'node:fs'

import { Glob } from 'bun'

import { builtAtRunTime, exempt } from './patterns/exempt'
import { findPatterns, type Pattern } from './patterns/find-patterns'
import { classify } from './patterns/judge'

/**
 * Fails for a regular expression whose time grows faster than the text it runs on: on bytes from outside, a few kilobytes would hold the
 * event loop for seconds. Judging takes up to half a minute for some, so verdicts are kept in `patterns/linear.txt`: a run adds those of new
 * patterns and removes those that are in the sources no more, for the commit that changes the patterns. CI, where nothing can be committed,
 * judges what is missing there again.
 */

const places = '{contract,dialects,models,providers,http-client,gateway,console}/src/**/*.{ts,tsx}'
const isOther = /\.test\.tsx?$|\.gen\.ts$|\/test\//
const recorded = `${import.meta.dir}/patterns/linear.txt`

const linear = new Set(readFileSync(recorded, 'utf8').split('\n'))
const found = new Map<string, { pattern: Pattern; places: string[] }>()
for (const path of [...new Glob(places).scanSync('.')].sort()) {
  if (isOther.test(path)) continue
  for (const pattern of findPatterns(path, readFileSync(path, 'utf8'))) {
    const place = `${path}:${pattern.line}`
    const known = found.get(pattern.text)
    if (known) known.places.push(place)
    else found.set(pattern.text, { pattern, places: [place] })
  }
}

const faults: string[] = []
for (const [text, { pattern, places: all }] of found) {
  if (exempt[text] !== undefined || linear.has(text)) continue
  const fault = await faultOf(pattern, all)
  if (fault === null && pattern.literal) linear.add(text)
  if (fault !== null) faults.push(`${all.join(', ')}: ${text}\n  ${fault}`)
}
const unused = Object.keys(exempt).filter((text) => !found.has(text))
faults.push(...unused.map((text) => `scripts/patterns/exempt.ts: ${text}\n  is not in the sources any more`))

if (process.env['CI'] === undefined) {
  const stored = [...found.keys()].filter((text) => linear.has(text) && exempt[text] === undefined)
  writeFileSync(recorded, `${stored.sort().join('\n')}\n`)
}
if (faults.length > 0) {
  console.error(faults.join('\n'))
  console.error(
    'Write it so that no character can be matched in two ways, read by index, or give a reason in scripts/patterns/exempt.ts.',
  )
}
process.exit(faults.length > 0 ? 1 : 0)

async function faultOf({ literal }: Pattern, all: readonly string[]): Promise<string | null> {
  if (literal === null) {
    const isKnown = all.every((place) => builtAtRunTime[place.replace(/:\d+$/, '')] !== undefined)
    return isKnown ? null : 'is built at run time, so nothing is known about its growth'
  }
  const { growth, attack } = await classify(literal)
  if (growth === 'linear') return null
  return growth === 'unknown' ? 'cannot be judged: make it simpler' : attack
}

import { dirname } from 'node:path'

import { nearestFirst } from '../../imports/nearest'
import type { Importers } from '../../imports/source-tree'
import { kindOf } from '../kinds'
import { edges, everything, testsAlong } from './edges'

/** Test files and the reason to run them, or not to. */
interface Choice {
  readonly why: string
  readonly files: readonly string[]
}

export interface Choices {
  readonly chosen: readonly Choice[]
  /** What a change may reach all the same. */
  readonly leftOut: readonly Choice[]
}

export interface ChangedTree {
  /** Paths, also of files that are gone. */
  readonly changed: readonly string[]
  readonly testFiles: readonly string[]
  /** By the imports that are left when a module runs. */
  readonly importers: Importers
}

/** How long the files of one reason may take, by the times of their kinds: side by side a minute for one file, three for a room. */
const secondsFor = (changed: readonly string[]) => (changed.length > 1 ? 400 : 90)
const asChanged = 'changed'

/** Chooses the tests that a change can break, for a minute or three of them: those that are near. */
export function chooseTests({ changed, testFiles, importers }: ChangedTree): Choices {
  const decisive = changed.find((path) => everything.test(path))
  if (decisive !== undefined)
    return { chosen: [{ why: `${decisive} decides how every test runs`, files: testFiles }], leftOut: [] }

  const seconds = secondsFor(changed)
  const isNear = (file: string) => changed.some((path) => namesRoomOf(file, path))
  const reached = nearestFirst(testFiles, changed, importers)
  // Journeys import much of the contract only to call what they try.
  const isOfJourneys = changed.some((path) => ofJourneys.test(path))
  const choices: Choice[] = [
    { why: asChanged, files: testFiles.filter((file) => changed.includes(file)) },
    ...edges.map((edge) => ({ why: edge.why, files: testsAlong(edge, changed, testFiles) })),
    { why: 'journeys with the name of the room', files: testFiles.filter((file) => isJourney(file) && isNear(file)) },
    { why: 'import what changed, directly or not', files: reached.filter((file) => isOfJourneys || !isJourney(file)) },
  ]
  const taken = new Set<string>()
  const chosen: Choice[] = []
  const leftOut: Choice[] = []
  for (const { why, files } of choices) {
    const fresh = files.filter((file) => !taken.has(file))
    const count = countWithin(fresh, why === asChanged ? Infinity : seconds)
    for (const file of fresh.slice(0, count)) taken.add(file)
    if (count > 0) chosen.push({ why, files: fresh.slice(0, count) })
    if (count < fresh.length) leftOut.push({ why: `${why}, from further away`, files: fresh.slice(count) })
  }
  const others = reached.filter((file) => isJourney(file) && !taken.has(file))
  if (!isOfJourneys && others.length > 0) leftOut.push({ why: 'journeys that import what changed', files: others })
  return { chosen, leftOut }
}

/** Returns how many of the files may run, first ones first. */
function countWithin(files: readonly string[], seconds: number): number {
  let sum = 0
  const tooMany = files.findIndex((file) => (sum += kindOf(file).secondsPerFile) > seconds)
  return tooMany < 0 ? files.length : tooMany
}

/** Returns what a person reads of a choice, a line for each reason. */
export function choiceLines({ chosen, leftOut }: Choices): string[] {
  const lines = (choices: readonly Choice[]) =>
    choices.map(({ why, files: [first, ...others] }) => {
      const count = String(others.length + 1).padStart(5)
      return `${count}  ${why}: ${first}${others.length > 0 ? ', …' : ''}`
    })
  const isEmpty = chosen.length === 0
  return [
    isEmpty ? 'No test reaches what changed.' : 'Test files to run:',
    ...lines(chosen),
    ...(leftOut.length > 0 ? ['Left out, until the whole run:', ...lines(leftOut)] : []),
  ]
}

/** Sources of journeys and of what they start beside the gateway. */
const ofJourneys = /^(?:e2e|simulator)\//
const isJourney = (file: string) => file.startsWith('e2e/')

/** `e2e/mails.test.ts` tries what is in a folder `mail`, `e2e/browser/channel-health.test.ts` what is in a folder `channels`. */
function namesRoomOf(journey: string, path: string): boolean {
  const name = journey.replace(/^.*\/|\.test\.tsx?$/g, '')
  const folders = dirname(path).split('/').slice(2)
  return folders.some((folder) => `${singular(name)}-`.startsWith(`${singular(folder)}-`))
}

const singular = (word: string) => word.replace(/s$/, '')

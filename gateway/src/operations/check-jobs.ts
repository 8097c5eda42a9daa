import { systemRoutes } from '@tollgate/contract'

import { jobNote, readNotes } from '../platform/store/site-notes'
import type { Examined } from './check-database'
import { ok, sentence, warn, type Finding } from './finding'

const subject = 'jobs'

/** Checks that the last run of each periodic job succeeded. */
export async function checkJobs({ database, tables }: Examined): Promise<Finding> {
  if (!database || tables !== 'there') return ok(subject, sentence('jobs.none'))
  const runs = await readNotes(database.query, jobNote, systemRoutes.JobRun)
  const failed = runs.filter(({ outcome }) => outcome === 'failed')
  const [first] = failed
  if (!first) return ok(subject, sentence(runs.length === 0 ? 'jobs.none' : 'jobs.good', { count: runs.length }))
  const names = failed.map(({ name }) => name).join(', ')
  return warn(subject, sentence('jobs.failed', { names, reason: first.error }), sentence('jobs.failed.advice'))
}

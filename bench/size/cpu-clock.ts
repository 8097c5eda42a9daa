import { readdirSync, readFileSync } from 'node:fs'

import { sql } from 'kysely'

import { openPostgres } from '../../gateway/src/platform/store/postgres'
import { familyOf } from '../processes'

/** Milliseconds of processor time that a gateway and its database used since they started, to the microsecond. */
export interface CpuClock {
  read(): Promise<number>
  close(): Promise<void>
}

/** SQLite works within the gateway. Of PostgreSQL those processes count that serve the gateway, where they run on this machine. */
export function cpuClock(processId: number, databaseUrl: string): CpuClock {
  const gateway = familyOf(processId)
  /** By process: one that ended counts on. */
  const known = new Map<number, number>()
  const sumWith = (processIds: readonly number[]): number => {
    for (const id of processIds) known.set(id, Math.max(known.get(id) ?? 0, ofProcess(id)))
    return [...known.values()].reduce((sum, one) => sum + one, 0)
  }
  if (!databaseUrl) return { read: () => Promise.resolve(sumWith(gateway)), close: async () => {} }
  const database = openPostgres(databaseUrl, { connections: 1 })
  return {
    async read() {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(database.query)
      return sumWith([...gateway, ...rows.map(({ pid }) => pid)])
    },
    close: () => database.close(),
  }
}

function ofProcess(processId: number): number {
  const folder = `/proc/${processId}/task`
  try {
    return readdirSync(folder).reduce((sum, thread) => sum + ofThread(`${folder}/${thread}`), 0)
  } catch {
    // It has ended, or it runs elsewhere.
    return 0
  }
}

/** Nanoseconds on a processor, nanoseconds of waiting for one, turns. https://docs.kernel.org/scheduler/sched-stats.html */
const ofThread = (folder: string): number => Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6

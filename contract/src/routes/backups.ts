import * as z from 'zod'

import { DownloadTicket } from '../http/download'
import { fileRoute, route } from '../http/route'

/** `manual-` or `scheduled-`, the time in UTC. */
export const BackupName = z.string().regex(/^(?:manual|scheduled)-\d{8}-\d{6}$/)

const Backup = z.object({
  name: BackupName,
  is_scheduled: z.boolean(),
  /** Unix seconds. */
  created_at: z.number().int(),
  bytes: z.number(),
  /** The release that made it. */
  release: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  /** The sealing key is in it, as it is not in an environment variable. */
  has_secret_key: z.boolean(),
  /** What is wrong with it where its manifest cannot be read; otherwise empty. */
  failure: z.string(),
})
export type Backup = z.output<typeof Backup>

/** The result of this node's last attempt. */
export const BackupAttempt = z.object({
  name: z.string(),
  /** Unix seconds. */
  started_at: z.number().int(),
  ended_at: z.number().int(),
  /** Empty where it was made. */
  failure: z.string(),
})
export type BackupAttempt = z.output<typeof BackupAttempt>

const Backups = z.object({
  items: z.array(Backup),
  is_running: z.boolean(),
  last: BackupAttempt.nullable(),
  /** The folder on the machine of this node. */
  folder: z.string(),
  free_bytes: z.number(),
  /** They contain the database. */
  has_database: z.boolean(),
  /** They contain the key that decrypts sealed secrets; otherwise it is `SECRET_KEY` in the environment. */
  has_secret_key: z.boolean(),
})
export type Backups = z.output<typeof Backups>

export const listBackups = route({
  method: 'GET',
  path: '/api/backup',
  access: 'settings.read',
  summary: 'The backups of this node, newest first',
  data: Backups,
})

export const makeBackup = route({
  method: 'POST',
  path: '/api/backup',
  isCompound: true,
  audit: 'backup.create',
  access: 'settings.secure',
  summary: 'Begin a backup of this node while it serves calls',
  data: z.object({ name: BackupName }),
})

const params = z.object({ name: BackupName })

export const verifyBackup = route({
  method: 'POST',
  path: '/api/backup/{name}/verify',
  audit: 'backup.verify',
  access: 'settings.secure',
  summary: 'Compare the files of a backup with what was written',
  params,
  /** Empty: it is intact. */
  data: z.object({ failure: z.string() }),
})

export const downloadBackup = fileRoute({
  method: 'GET',
  path: '/api/backup/{name}',
  audit: 'backup.download',
  access: 'settings.secure',
  stepUp: { purpose: 'backup' },
  media: 'application/x-tar',
  summary: 'A backup as one archive, for `tollgate restore` once it is unpacked',
  params,
})

export const createBackupTicket = route({
  method: 'POST',
  path: '/api/backup/{name}/ticket',
  access: 'settings.secure',
  stepUp: { purpose: 'backup' },
  audit: null,
  isWrite: false,
  summary: 'A ticket by which the browser fetches a backup straight to disk',
  params,
  data: DownloadTicket,
})

export const fetchBackup = fileRoute({
  method: 'GET',
  path: '/api/backup/{name}/file',
  audit: 'backup.download',
  access: 'optional',
  scope: null,
  isSameSiteOnly: true,
  media: 'application/x-tar',
  summary: 'The same archive, for the session that has a ticket for it',
  params,
  query: DownloadTicket,
})

export const deleteBackup = route({
  method: 'DELETE',
  path: '/api/backup/{name}',
  audit: 'backup.delete',
  access: 'settings.secure',
  summary: 'Delete a backup',
  params,
})

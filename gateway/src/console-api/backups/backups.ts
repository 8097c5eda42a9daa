import { backupRoutes } from '@tollgate/contract'

import { createTicket, redeemTicket } from '../../http/response/download-ticket'
import { handler, type Handler } from '../../http/handler'
import { pathsIn, diskSpaceOf } from '../../platform/store/data-folder'
import {
  backupFolder,
  backupPath,
  backupState,
  listBackups,
  removeBackup,
  startBackup,
  verifyInOwnProcess,
} from '../../operations/backups'
import { tarFile } from './tar-file'

export const backupHandlers: readonly Handler[] = [
  handler(backupRoutes.listBackups, async (_input, { ctx }) => ({
    ...(await backupState(ctx)),
    items: await listBackups(ctx),
    folder: backupFolder(ctx),
    free_bytes: diskSpaceOf(pathsIn(ctx.config.dataDir).path).free,
    has_database: ctx.config.databaseUrl === '',
    has_secret_key: ctx.config.secretKey === '',
  })),
  handler(backupRoutes.makeBackup, async (_input, { ctx, audit }) => {
    const { name, ended } = await startBackup(ctx, 'manual')
    audit.target('backup', name)
    ended.catch((error: unknown) => ctx.log.error({ error, backup: name }, 'the end of a backup could not be recorded'))
    return { name }
  }),
  handler(backupRoutes.verifyBackup, async ({ params: { name } }, { ctx, audit }) => {
    audit.target('backup', name)
    return { failure: await verifyInOwnProcess(ctx, name) }
  }),
  handler(backupRoutes.downloadBackup, ({ params: { name } }, { ctx, audit }) => {
    audit.target('backup', name)
    return tarFile(name, backupPath(ctx, name))
  }),
  handler(backupRoutes.createBackupTicket, ({ params: { name } }, call) => createTicket(call, `backup ${name}`)),
  handler(backupRoutes.fetchBackup, async ({ params: { name }, query: { ticket } }, call) => {
    call.audit.target('backup', name)
    await redeemTicket(call, { file: `backup ${name}`, ticket, grant: 'settings.secure' })
    return tarFile(name, backupPath(call.ctx, name))
  }),
  handler(backupRoutes.deleteBackup, async ({ params: { name } }, { ctx, audit }) => {
    audit.target('backup', name)
    await removeBackup(ctx, name)
    return undefined
  }),
]

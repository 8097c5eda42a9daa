import type { NumberedMigration } from '../migration'

/** A row of the log is found by the request id of its call. */
export const logRequestId: NumberedMigration = {
  name: '0002-log-request-id',
  async up(db) {
    await db.schema.createIndex('logs_request').on('logs').column('request_id').execute()
  },
}

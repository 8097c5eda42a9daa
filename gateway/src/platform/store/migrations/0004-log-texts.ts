import type { NumberedMigration } from '../migration'

/**
 * Conversations, where the site logs them, apart from the rows of the log: those are money and are never lost, these are written when
 * there is time. Rows of earlier releases keep their texts in `other`.
 */
export const logTexts: NumberedMigration = {
  name: '0004-log-texts',
  async up(db) {
    await db.schema
      .createTable('log_texts')
      .addColumn('request_id', 'text', (column) => column.primaryKey())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('context', 'text', (column) => column.notNull())
      .addColumn('input', 'text', (column) => column.notNull())
      .addColumn('output', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('log_texts_time').on('log_texts').column('created_at').execute()
  },
}

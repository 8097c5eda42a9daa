import type { messageRoutes } from '@tollgate/contract'

/** 2025-11-18 07:02:54 in the machine's time zone. */
const sent = new Date('2025-11-18T07:02:54').getTime() / 1000

export const anInboxMessage = (changes: Partial<messageRoutes.InboxMessage> = {}): messageRoutes.InboxMessage => ({
  id: 7,
  title: 'Maintenance on Sunday',
  content: 'We update the gateway **between 02:00 and 03:00**.',
  format: 'markdown',
  created_at: sent,
  is_read: false,
  read_at: null,
  is_system: false,
  ...changes,
})

export const aMessage = (changes: Partial<messageRoutes.MessageEntity> = {}): messageRoutes.MessageEntity => ({
  id: 7,
  title: 'Maintenance on Sunday',
  content: 'We update the gateway **between 02:00 and 03:00**.',
  format: 'markdown',
  created_at: sent,
  updated_at: sent,
  created_by: 1,
  created_by_name: 'root',
  audience: { kind: 'users', value: '' },
  send_mail: false,
  stats: { total_recipients: 57, read_count: 12, unread_count: 45, read_rate: 12 / 57 },
  ...changes,
})
